import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { type Application, APPLICATIONS_PATH } from "./data.ts";

const ApplicationDialog = lazy(async () => ({ default: (await import("./application-dialog.tsx")).ApplicationDialog }));
const ROWS_A_PAGE = 50;

const COLUMNS: Column<Application>[] = [
  { id: "name", header: t`Name`, cell: ({ name }) => <b dir="auto">{name}</b>, value: ({ name }) => name },
  { id: "key", header: t`Key`, cell: ({ key }) => <code>{key}</code>, value: ({ key }) => key },
  {
    id: "description",
    header: t`Description`,
    cell: ({ description }) => description ?? "–",
    value: ({ description }) => description,
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Created`,
    cell: ({ createdAt }) => <Time at={createdAt} ago />,
    value: ({ createdAt }) => createdAt,
    isWide: true,
  },
];

/** List of the applications, the owners of customers and records that agents read and write. */
export function ApplicationsPage() {
  const filters = useUrlFilters([]);
  const read = useRead<ListPage<Application>>(APPLICATIONS_PATH, { page: filters.page, size: ROWS_A_PAGE });
  const mayWrite = useMay("DATA_STORES_WRITE");
  const [isCreating, dialog] = useDisclosure(false);
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Create an application`, group: t`Data`, run: dialog.open }] : []);
  const bulk = useApplicationBulk();
  const create = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
      {t`Create application`}
    </Button>
  );
  return (
    <Page
      title={t`Data`}
      lead={t`Applications with their customers and records: what agents know, and where they write.`}
      actions={create}
    >
      <Group justify="flex-end" mb="sm">
        <ExportButton path={APPLICATIONS_PATH} query={{}} columns={COLUMNS} fileName="applications.csv" />
      </Group>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Applications`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/data/${id}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={
          <EmptyState icon="data" title={t`No applications yet`} action={create} docs="/docs">
            {t`An application holds customers and data stores, such as orders or bookings, that agents look up in a talk.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>{isCreating && <ApplicationDialog application={null} close={dialog.close} />}</Suspense>
    </Page>
  );
}

function useApplicationBulk(): BulkAction<Application>[] {
  return [
    useBulkDelete<Application>({
      list: APPLICATIONS_PATH,
      counted: (count) => plural(count, "{n} application", "{n} applications"),
      body: t`Their customers and stores are deleted for good. One whose stores have records is refused.`,
    }),
  ];
}
