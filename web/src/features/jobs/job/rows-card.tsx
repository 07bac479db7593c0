import { Button, Text } from "@mantine/core";
import type { CallJob, CallRow, Page as ListPage } from "@parley/sdk";
import { memo } from "react";
import { useRead } from "#web/api/queries.ts";
import { useCallActions } from "#web/domain/call/call-actions.ts";
import { CALL_FILTERS, toCallQuery } from "#web/domain/call/call-filters.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";
import { EXPORT_COLUMNS, ROW_COLUMNS } from "./row-columns.tsx";

const ROWS_A_PAGE = 50;
const INDEXING_MS = 2_000;
const SHARED = new Set(["search", "status", "outcome"]);
const FILTERS: Filter[] = [
  ...CALL_FILTERS.filter(({ name }) => SHARED.has(name)),
  { name: "externalId", label: t`External ID`, kind: "text", width: 140 },
];

/** Rows of a job with filters; memoised because the page's counts change more often. */
export const RowsCard = memo(function RowsCard(props: {
  jobId: string;
  name: string;
  /** Milliseconds between reads; undefined: never. */
  refreshMs: number | undefined;
}) {
  const { jobId, refreshMs } = props;
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const { externalId, ...shared } = filters.values;
  const query = { ...toCallQuery(shared), externalId: externalId?.[0] };
  const path = `/call-jobs/${jobId}/rows`;
  const read = useRead<ListPage<CallRow>>(
    path,
    { ...query, sort: filters.sort, page: filters.page, size: ROWS_A_PAGE },
    refreshMs === undefined ? {} : { refreshMs },
  );
  const { shown } = useShownColumns("job-rows", ROW_COLUMNS);
  const actions = useCallActions();
  return (
    <>
      <FilterBar screen="job-rows" filters={FILTERS} {...filters}>
        <ColumnsButton screen="job-rows" columns={ROW_COLUMNS} />
        <ExportButton
          path={path}
          query={{ ...query, sort: filters.sort }}
          columns={EXPORT_COLUMNS}
          fileName={`${fileNameOf(props.name)}.csv`}
        />
      </FilterBar>
      {filters.values.search && <IndexingNote jobId={jobId} />}
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Rows of the job`}
        rows={read.data?.content}
        columns={shown}
        href={(row) => `/calls/${row.id}`}
        bulkActions={actions}
        pages={filters}
        empty={<NoRows clear={() => filters.setAll({})} isFiltered={Object.keys(filters.values).length > 0} />}
      />
    </>
  );
});

/** Tells that a search by name cannot find every row yet; nothing once it can. */
function IndexingNote({ jobId }: { jobId: string }) {
  const refreshMs = (job: CallJob | undefined) => (job && findableRows(job) < job.totalRows ? INDEXING_MS : false);
  const { data: job } = useRead<CallJob>(`/call-jobs/${jobId}`, undefined, { refreshMs });
  const found = job ? findableRows(job) : 0;
  if (!job || found >= job.totalRows) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {t`The names of this list are still being indexed: ${formatNumber(found)} of ${formatNumber(job.totalRows)} rows can be found by name so far.`}
    </Text>
  );
}

const findableRows = ({ searchableRows, totalRows }: CallJob) => searchableRows ?? totalRows;

function fileNameOf(name: string): string {
  const plain = name.replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-").replaceAll(/^-+|-+$/g, "");
  return plain === "" ? "call-job" : plain.slice(0, 60);
}

function NoRows({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState icon="list" title={t`No rows yet`}>
        {t`They appear as soon as the file is stored.`}
      </EmptyState>
    );
  }
  const action = (
    <Button variant="default" onClick={clear}>
      {t`Clear filters`}
    </Button>
  );
  return (
    <EmptyState icon="filter" title={t`No row fits these filters`} action={action}>
      {t`Take a filter away to see more.`}
    </EmptyState>
  );
}
