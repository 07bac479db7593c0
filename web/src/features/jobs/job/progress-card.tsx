import { Group, SimpleGrid, Stack, Text, UnstyledButton } from "@mantine/core";
import type { CallJob, CallJobSummary } from "@parley/sdk";
import type { ReactNode } from "react";
import { MACHINE_OUTCOMES, MISSED_OUTCOMES, PERSON_OUTCOMES } from "#web/features/jobs/answered.ts";
import { colorOf, formatDone, JobBar, type JobPart, partsOf } from "#web/features/jobs/job-bar.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber, formatSpan } from "#web/ui/format/format.ts";
import { Time } from "#web/ui/time.tsx";
import { useJobPace } from "./use-job.ts";

/** Filters of the rows of a job. */
export interface RowFilter {
  status?: string[];
  outcome?: string[];
}

/**
 * Statuses of rows that are over. A row waiting for its next attempt has the outcome of the last one, so the outcome
 * alone does not tell.
 */
const OVER = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"];

/** Filter for the rows of each part of the bar. */
const ROWS: Record<JobPart["key"], RowFilter> = {
  reached: { status: OVER, outcome: PERSON_OUTCOMES },
  machine: { status: OVER, outcome: MACHINE_OUTCOMES },
  missed: { status: OVER, outcome: MISSED_OUTCOMES },
  live: { status: ["DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN"] },
  retry: { status: ["WAITING_FOR_RETRY"] },
  queued: { status: ["QUEUED", "WAITING_FOR_WINDOW"] },
};

/** Progress, pace and time left of the job; a click on a part of the legend shows its rows. */
export function ProgressCard(props: {
  job: CallJob;
  summary: CallJobSummary | undefined;
  show: (rows: RowFilter) => void;
}) {
  const { job, summary, show } = props;
  const retrying = countOf(summary, "WAITING_FOR_RETRY");
  const parts = partsOf(job, retrying);
  return (
    <Card>
      <Group justify="space-between" align="flex-end" mb="sm" gap="md">
        <div>
          <Text fz={34} fw={650} lh={1} className="figures">
            {formatDone(job)}
          </Text>
          <Text fz="sm" c="dimmed" mt={6} className="figures">
            {t`${formatNumber(job.processedRows)} of ${formatNumber(job.totalRows)} rows done`}
          </Text>
        </div>
        <Pace job={job} waiting={countOf(summary, "WAITING_FOR_WINDOW")} />
      </Group>
      <JobBar parts={parts} size="lg" />
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing={4} mt="sm" mx={-8}>
        {parts.map((part) => (
          <UnstyledButton
            key={part.key}
            className="legend-entry"
            onClick={() => show(ROWS[part.key])}
            title={t`Show these rows`}
          >
            <span className="legend-mark" style={{ background: colorOf(part.color) }} />
            <Text component="span" fz="sm">
              {part.label}
            </Text>
            <Text component="span" fz="sm" fw={600} className="figures">
              {formatNumber(part.count)}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function countOf(summary: CallJobSummary | undefined, status: string): number {
  return summary?.statuses.find((group) => group.status === status)?.count ?? 0;
}

function Pace({ job, waiting }: { job: CallJob; waiting: number }) {
  const pace = useJobPace(job.id);
  const facts: [string, ReactNode][] = [];
  if (job.status === "RUNNING") {
    facts.push([
      t`Rate`,
      pace?.ratePerMinute == null ? t`measuring` : t`${formatNumber(Math.round(pace.ratePerMinute))} / min`,
    ]);
    facts.push([t`Time left`, waiting > 0 ? t`waits for its hours` : formatLeft(pace?.etaSeconds ?? null)]);
  }
  if (job.status === "SCHEDULED") facts.push([t`Starts`, <Time key="start" at={job.startAt ?? null} />]);
  if (job.completedAt !== null) {
    facts.push([t`Took`, formatSpan(secondsBetween(job.startedAt ?? job.createdAt, job.completedAt))]);
    facts.push([t`Ended`, <Time key="end" at={job.completedAt} />]);
  }
  return (
    <Group gap="xl">
      {facts.map(([label, value]) => (
        <Stack key={label} gap={0}>
          <Text fz="xs" c="dimmed">
            {label}
          </Text>
          <Text component="div" fz="sm" fw={550} className="figures">
            {value}
          </Text>
        </Stack>
      ))}
    </Group>
  );
}

/** Text such as `about 40 s`, `about 12 min`, `about 1 d 3 h`. */
function formatLeft(seconds: number | null): string {
  if (seconds === null) return t`measuring`;
  if (seconds < 60) return t`about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s`;
  if (seconds < 5_400) return t`about ${Math.round(seconds / 60)} min`;
  return t`about ${formatSpan(Math.round(seconds / 3_600) * 3_600)}`;
}

function secondsBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / 1_000;
}
