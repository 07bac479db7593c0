import { Button } from "@mantine/core";
import type { CallJob, Page as ListPage } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";
import { useJobActions } from "./job-bulk-actions.tsx";
import { JOB_COLUMNS } from "./job-columns.tsx";

const PATH = "/call-jobs";
const ROWS_A_PAGE = 50;
const STATUSES = ["SCHEDULED", "IMPORTING", "RUNNING", "PAUSED", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"];
const FILTERS: Filter[] = [
  { name: "name", label: t`Name`, kind: "text", width: 190 },
  {
    name: "status",
    label: t`Status`,
    kind: "many",
    options: STATUSES.map((value) => ({ value, label: formatName(value) })),
    width: 150,
  },
];

/** List of the call jobs, newest first; running ones are updated live. */
export function JobsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const query = { name: filters.values.name?.[0], status: filters.values.status };
  const read = useRead<ListPage<CallJob>>(PATH, {
    ...query,
    sort: filters.sort,
    page: filters.page,
    size: ROWS_A_PAGE,
  });
  const canWrite = useMay("CALL_JOBS_WRITE");
  const bulkActions = useJobActions();
  const { shown } = useShownColumns("jobs", JOB_COLUMNS);
  const [, navigate] = useLocation();
  useShortcutKeys(
    canWrite ? [{ keys: "n", label: t`New call job`, group: t`Jobs`, run: () => navigate("/jobs/new") }] : [],
  );
  const newJob = canWrite && (
    <Button component={Link} href="/jobs/new" leftSection={<Icon name="plus" />}>
      {t`New job`}
    </Button>
  );
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <Page title={t`Call jobs`} lead={t`Lists of people to call, with retries, numbers and hours.`} actions={newJob}>
      <FilterBar screen="jobs" filters={FILTERS} {...filters}>
        <ColumnsButton screen="jobs" columns={JOB_COLUMNS} />
        <ExportButton
          path={PATH}
          query={{ ...query, sort: filters.sort }}
          columns={JOB_COLUMNS}
          fileName="call-jobs.csv"
        />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Call jobs`}
        rows={read.data?.content}
        columns={shown}
        href={(job) => `/jobs/${job.id}`}
        {...(canWrite ? { bulkActions } : {})}
        pages={filters}
        empty={<NoJobs isFiltered={isFiltered} action={newJob} clear={() => filters.setAll({})} />}
      />
    </Page>
  );
}

function NoJobs({ isFiltered, action, clear }: { isFiltered: boolean; action: ReactNode; clear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState icon="list" title={t`No call jobs yet`} action={action} docs="call-jobs">
        {t`Drop an XLSX or CSV with phone numbers, see who would be skipped and why, then start. A sample of 20 simulated people is ready to try it with.`}
      </EmptyState>
    );
  }
  const clearButton = (
    <Button variant="default" onClick={clear}>
      {t`Clear filters`}
    </Button>
  );
  return (
    <EmptyState icon="filter" title={t`No job fits these filters`} action={clearButton}>
      {t`Take a filter away to see more.`}
    </EmptyState>
  );
}
