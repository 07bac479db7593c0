import { Button, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { type LeadSource, SOURCES_PATH } from "./lead-source.ts";

const SourceDrawer = lazy(async () => ({ default: (await import("./source-drawer.tsx")).SourceDrawer }));

const COLUMNS: Column<LeadSource>[] = [
  {
    id: "name",
    header: t`Name`,
    cell: ({ name }) => (
      <Text component={Words} fz="sm" fw={550} lineClamp={1}>
        {name}
      </Text>
    ),
    value: ({ name }) => name,
  },
  {
    id: "number",
    header: t`Number at`,
    cell: ({ mapping }) => <span className="clip">{mapping.customerNumber}</span>,
    value: ({ mapping }) => mapping.customerNumber,
    isWide: true,
  },
  {
    id: "active",
    header: t`Status`,
    cell: ({ active }) => <StatusBadge status={active ? "ACTIVE" : "DISABLED"} />,
    value: ({ active }) => (active ? "ACTIVE" : "DISABLED"),
  },
  {
    id: "updatedAt",
    header: t`Changed`,
    cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
    value: ({ updatedAt }) => updatedAt,
    isWide: true,
  },
];

/** List of the addresses that take leads. */
export function LeadsPage() {
  const read = useRead<LeadSource[]>(SOURCES_PATH);
  const mayWrite = useMay("CALL_JOBS_WRITE");
  const [isMaking, making] = useDisclosure(false);
  const keepDialog = useKeptDialog();
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`New lead source`, group: t`Leads`, run: making.open }] : []);
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={making.open}>
      {t`New lead source`}
    </Button>
  );
  return (
    <Page
      title={t`Leads`}
      lead={t`Addresses for forms and other services: each lead that arrives is called once.`}
      actions={button}
    >
      <ReadFault read={read} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Lead sources`}
          rows={read.data}
          columns={COLUMNS}
          href={({ id }) => `/leads/${id}`}
          empty={
            <EmptyState icon="incoming" title={t`No lead source yet`} action={button} docs="/docs">
              {t`Let a contact form, an ad or a CRM send its leads here, and say where in them the phone number is.`}
            </EmptyState>
          }
        />
      </Paper>
      <Suspense fallback={null}>
        {isMaking && (
          <SourceDrawer
            source={null}
            close={making.close}
            onMade={({ url }) => {
              making.close();
              keepDialog((shut) => <AddressDialog url={url ?? ""} close={shut} />);
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}
