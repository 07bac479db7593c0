import { Box, Group, Text } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { formatDone, JobBar, partsOf } from "./job-bar.tsx";

/** The columns of the list of jobs. */
export const JOB_COLUMNS: Column<CallJob>[] = [
  {
    id: "name",
    header: t`Job`,
    cell: (job) => <Name job={job} />,
    value: (job) => job.name,
    sortKey: "name",
  },
  { id: "status", header: t`Status`, cell: (job) => <StatusBadge status={job.status} />, value: (job) => job.status },
  {
    id: "progress",
    header: t`Progress`,
    cell: (job) => <Progress job={job} />,
    value: (job) => (job.totalRows === 0 ? 0 : Math.floor((100 * job.processedRows) / job.totalRows)),
    isWide: "medium",
  },
  {
    id: "totalRows",
    header: t`Rows`,
    cell: (job) => formatNumber(job.totalRows),
    value: (job) => job.totalRows,
    align: "right",
    isWide: "medium",
  },
  {
    id: "reachedRows",
    header: t`Reached`,
    cell: (job) => formatNumber(job.reachedRows ?? 0),
    value: (job) => job.reachedRows ?? 0,
    align: "right",
    isWide: "medium",
  },
  {
    id: "machineRows",
    header: t`Machine`,
    cell: (job) => formatNumber(job.machineRows ?? 0),
    value: (job) => job.machineRows ?? 0,
    align: "right",
    isWide: "medium",
  },
  {
    id: "missedRows",
    header: t`Not reached`,
    cell: (job) => formatNumber(missedOf(job)),
    value: missedOf,
    align: "right",
    isWide: "medium",
  },
  {
    id: "createdAt",
    header: t`Created`,
    cell: (job) => <Time at={job.createdAt} />,
    value: (job) => job.createdAt,
    sortKey: "createdAt",
    isWide: "medium",
  },
];

/** Name of a job; where there is no room for more columns, how far it came is below it. */
function Name({ job }: { job: CallJob }) {
  return (
    <>
      <Text component={Words} fz="sm" fw={550} truncate maw={{ base: 180, sm: 260, md: 320 }}>
        {job.name}
      </Text>
      <Box hiddenFrom="md" mt={6}>
        <JobBar parts={partsOf(job)} />
        <Text fz="xs" c="dimmed" mt={2}>
          {t`${formatDone(job)} of ${formatNumber(job.totalRows)} rows, ${formatNumber(job.reachedRows)} reached`}
        </Text>
      </Box>
    </>
  );
}

function Progress({ job }: { job: CallJob }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <div className="job-bar-cell">
        <JobBar parts={partsOf(job)} />
      </div>
      <Text component="span" fz="xs" c="dimmed" className="figures">
        {formatDone(job)}
      </Text>
    </Group>
  );
}

/** Number of finished rows that neither a person nor a machine answered. */
function missedOf({ processedRows, reachedRows, machineRows }: CallJob): number {
  return processedRows - reachedRows - machineRows;
}
