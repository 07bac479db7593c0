import { Button, Progress, Text } from "@mantine/core";
import type { Page as ListPage, SimulationEntry } from "@parley/sdk";
import { useLocation } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { formatTook, isRunning, WATCH_MS } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import "#web/domain/flow/flow.css";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

const PATH = "/simulations";
const ROWS_A_PAGE = 50;
const FILTERS = [{ name: "suite", label: t`Name of a suite`, kind: "text" as const }];

/** List of the runs of test suites, newest first. */
export function SimulationsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const query = { suite: filters.values.suite?.[0] };
  const read = useRead<ListPage<SimulationEntry>>(PATH, { ...query, page: filters.page, size: ROWS_A_PAGE });
  const isAnyRunning = read.data?.content.some(isRunning) ?? false;
  useRead(
    PATH,
    { ...query, page: filters.page, size: ROWS_A_PAGE },
    { enabled: isAnyRunning, refreshMs: WATCH_MS * 2 },
  );
  const mayRun = useMay("FLOWS_WRITE");
  const cancel = useCancel();
  const [, navigate] = useLocation();
  const make = () => navigate("/simulations/new");
  useShortcutKeys(mayRun ? [{ keys: "n", label: t`New simulation`, group: t`Simulations`, run: make }] : []);
  const newButton = mayRun && (
    <Button leftSection={<Icon name="play" size={14} />} onClick={make}>
      {t`Run a suite`}
    </Button>
  );
  return (
    <Page title={t`Simulations`} lead={t`Flows tried with simulated people. Nobody is called.`} actions={newButton}>
      <FilterBar screen="simulations" filters={FILTERS} {...filters}>
        <ExportButton path={PATH} query={query} columns={COLUMNS} fileName="simulations.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Simulations`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/simulations/${id}`}
        bulkActions={mayRun ? [cancel] : []}
        pages={filters}
        empty={
          query.suite === undefined ? (
            <EmptyState icon="test" title={t`No simulations yet`} action={newButton} docs="/docs/guides/simulations">
              {t`A suite says who answers and what must come of it. Run one before a flow calls anybody.`}
            </EmptyState>
          ) : (
            <EmptyState icon="filter" title={t`No run of that suite`}>
              {t`The whole name of the suite is compared, as it stands in its file.`}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

const COLUMNS: Column<SimulationEntry>[] = [
  {
    id: "suite",
    header: t`Suite`,
    cell: ({ suite }) => <Words className="cell-text">{suite}</Words>,
    value: ({ suite }) => suite,
  },
  { id: "state", header: t`Result`, cell: (run) => <RunState run={run} />, value: ({ state }) => state },
  {
    id: "flow",
    header: t`Flow`,
    cell: ({ flow }) => (
      <>
        <Words>{flow.name}</Words>
        {flow.version !== null && (
          <Text component="span" fz="xs" c="dimmed">
            {` v${flow.version}`}
          </Text>
        )}
      </>
    ),
    value: ({ flow }) => flow.name,
    isWide: true,
  },
  {
    id: "passed",
    header: t`Passed`,
    cell: ({ progress }) => t`${progress.done - progress.failed} of ${progress.total}`,
    value: ({ progress }) => progress.done - progress.failed,
    align: "right",
    isWide: true,
  },
  {
    id: "took",
    header: t`Took`,
    cell: (run) => formatTook(millisecondsOf(run)),
    value: millisecondsOf,
    align: "right",
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Started`,
    cell: ({ createdAt }) => <Time at={createdAt} ago />,
    value: ({ createdAt }) => createdAt,
  },
];

function RunState({ run }: { run: SimulationEntry }) {
  const { done, total } = run.progress;
  if (run.state !== "RUNNING") return <StatusBadge status={run.state} label={formatName(run.state)} />;
  return (
    <Progress value={(100 * done) / Math.max(1, total)} w={110} aria-label={t`${done} of ${total} conversations`} />
  );
}

function millisecondsOf({ startedAt, endedAt }: SimulationEntry): number | null {
  return startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
}

function useCancel(): BulkAction<SimulationEntry> {
  return useBulkWrites<SimulationEntry>()({
    label: t`Cancel`,
    icon: "stop",
    method: "POST",
    path: ({ id }) => `${PATH}/${id}/cancel`,
    body: {},
    refreshes: [PATH],
    only: isRunning,
  });
}
