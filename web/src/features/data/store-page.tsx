import { Badge, Button } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { type Application, APPLICATIONS_PATH, type DataRecord, type DataStore, storesPath } from "./data.ts";
import { recordColumns } from "./record-columns.tsx";

const RecordDrawer = lazy(async () => ({ default: (await import("./record-drawer.tsx")).RecordDrawer }));
const ROWS_A_PAGE = 50;
const FILTERS = [{ name: "customerId", label: t`Customer id`, kind: "text" as const, width: 300 }];

/** The records of a custom store. */
export function StorePage() {
  const { appId, storeKey } = useParams<{ appId: string; storeKey: string }>();
  const path = `${storesPath(appId)}/${storeKey}`;
  const application = useRead<Application>(`${APPLICATIONS_PATH}/${appId}`);
  const stores = useRead<ListPage<DataStore>>(storesPath(appId), { size: 200 });
  const store = stores.data?.content.find(({ key }) => key === storeKey);
  const mayWrite = useMay("DATA_STORES_WRITE") && store?.kind !== "BUILT_IN";
  const opened = useOpened("record");
  const [isAdding, setAdding] = useState(false);
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Add a record`, group: t`Data`, run: () => setAdding(true) }] : []);
  const add = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {t`Add record`}
    </Button>
  );
  const shut = () => {
    setAdding(false);
    if (opened.id !== null) opened.close();
  };
  return (
    <Page
      title={store?.name ?? storeKey}
      back={{ href: `/data/${appId}`, label: application.data?.name ?? t`Application` }}
      badge={store?.kind === "BUILT_IN" && <Badge variant="default">{t`Built in`}</Badge>}
      actions={add}
    >
      <RecordTable place={{ appId, storeKey, path }} opened={opened} action={add} mayWrite={mayWrite} />
      <Suspense fallback={null}>
        {(isAdding || opened.id !== null) && (
          <RecordDrawer
            key={opened.id ?? "new"}
            appId={appId}
            storePath={path}
            recordId={isAdding ? null : opened.id}
            mayWrite={mayWrite}
            close={shut}
          />
        )}
      </Suspense>
    </Page>
  );
}

interface RecordTableProps {
  place: { appId: string; storeKey: string; path: string };
  opened: ReturnType<typeof useOpened>;
  action: ReactNode;
  mayWrite: boolean;
}

function RecordTable({ place: { appId, storeKey, path }, opened, action, mayWrite }: RecordTableProps) {
  const filters = useUrlFilters(["customerId"]);
  const query = { customerId: filters.values.customerId?.[0] };
  const read = useRead<ListPage<DataRecord>>(
    path,
    { ...query, page: filters.page, size: ROWS_A_PAGE },
    { isExact: true },
  );
  const bulk = useRecordBulk(path);
  const columns = recordColumns(read.data?.content ?? []);
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <>
      <FilterBar screen={`records-${storeKey}`} filters={FILTERS} {...filters}>
        <ExportButton path={path} query={query} columns={columns} fileName={`${storeKey}.csv`} />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Records`}
        rows={read.data?.content}
        columns={columns}
        href={({ id }) => `/data/${appId}/${storeKey}${opened.searchFor(id)}`}
        {...(mayWrite ? { bulkActions: bulk } : {})}
        pages={filters}
        empty={<NoRecords isFiltered={isFiltered} action={action} clear={() => filters.setAll({})} />}
      />
    </>
  );
}

function NoRecords({ isFiltered, action, clear }: { isFiltered: boolean; action: ReactNode; clear: () => void }) {
  if (isFiltered) return <NoMatch title={t`No record fits these filters`} clear={clear} />;
  return (
    <EmptyState icon="data" title={t`No records yet`} action={action}>
      {t`Agents write records in their talks; your systems write them over the API.`}
    </EmptyState>
  );
}

function useRecordBulk(list: string): BulkAction<DataRecord>[] {
  return [
    useBulkDelete<DataRecord>({
      list,
      counted: (count) => plural(count, "{n} record", "{n} records"),
      body: t`This cannot be taken back.`,
    }),
  ];
}
