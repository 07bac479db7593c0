import { Button } from "@mantine/core";
import type { CallRow, Page as ListPage } from "@parley/sdk";
import { lazy, type ReactNode, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useCallActions } from "#web/domain/call/call-actions.ts";
import { CALL_COLUMNS, CALL_EXPORT } from "#web/domain/call/call-columns.tsx";
import { CALL_FILTERS, toCallQuery } from "#web/domain/call/call-filters.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useCreating } from "#web/ui/filters/use-creating.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";
import { ResultCallsPage, useDrill } from "./result-calls.tsx";

const PlaceCallDrawer = lazy(async () => ({
  default: (await import("#web/domain/call/place-call-drawer.tsx")).PlaceCallDrawer,
}));
const ROWS_A_PAGE = 50;
const PATH = "/call-history";

/** The call history, or the calls behind a figure of the results. */
export function CallsPage() {
  const drill = useDrill();
  return drill ? <ResultCallsPage drill={drill} /> : <CallHistoryPage />;
}

/** The call history, newest first; calls under way are updated live. */
function CallHistoryPage() {
  const filters = useUrlFilters(CALL_FILTERS.map(({ name }) => name));
  const query = toCallQuery(filters.values);
  const read = useRead<ListPage<CallRow>>(PATH, {
    ...query,
    sort: filters.sort,
    page: filters.page,
    size: ROWS_A_PAGE,
  });
  const canCall = useMay("OUTBOUND_CALLS_TRIGGER");
  const { shown } = useShownColumns("calls", CALL_COLUMNS);
  const actions = useCallActions();
  const [isPlacing, setPlacing] = useCreating("call");
  const place = () => setPlacing(true);
  useShortcutKeys(canCall ? [{ keys: "n", label: t`Place a call`, group: t`Calls`, run: place }] : []);
  const isFiltered = Object.keys(filters.values).length > 0;
  const callButton = canCall && (
    <Button leftSection={<Icon name="phone" />} onClick={place}>
      {t`Place a call`}
    </Button>
  );
  return (
    <Page title={t`Calls`} lead={t`Every call in and out.`} actions={callButton}>
      <FilterBar screen="calls" filters={CALL_FILTERS} {...filters}>
        <ColumnsButton screen="calls" columns={CALL_COLUMNS} />
        <ExportButton path={PATH} query={{ ...query, sort: filters.sort }} columns={CALL_EXPORT} fileName="calls.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Calls`}
        rows={read.data?.content}
        columns={shown}
        href={(row) => `/calls/${row.id}`}
        bulkActions={actions}
        pages={filters}
        empty={<NoCalls isFiltered={isFiltered} action={callButton} clear={() => filters.setAll({})} />}
      />
      <Suspense fallback={null}>{canCall && isPlacing && <PlaceCallDrawer close={() => setPlacing(false)} />}</Suspense>
    </Page>
  );
}

function NoCalls({ isFiltered, action, clear }: { isFiltered: boolean; action: ReactNode; clear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon="filter"
        title={t`No call fits these filters`}
        action={
          <Button variant="default" onClick={clear}>
            {t`Clear filters`}
          </Button>
        }
      >
        {t`Take a filter away, or look at another day.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="phone" title={t`No calls yet`} action={action} docs="/docs">
      {t`Call +1 202 555 0100: a simulated person answers, so no phone rings and nothing is billed.`}
    </EmptyState>
  );
}
