import { Progress } from "@mantine/core";
import "#web/domain/job/jobs.css";
import type { CallJob } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatNumber, formatShare } from "#web/ui/format/format.ts";

/** A part of a job's rows, as the bar and its legend show it. */
export interface JobPart {
  key: "reached" | "machine" | "missed" | "retry" | "live" | "queued";
  label: string;
  color: string;
  count: number;
}

/** The rows of a job in six parts, which add up to all of them. `retrying`: those that wait for another attempt. */
export function partsOf(job: CallJob, retrying = 0): JobPart[] {
  const live = job.inProgressRows ?? 0;
  const left = Math.max(0, job.totalRows - job.processedRows - live);
  const retry = Math.min(retrying, left);
  const { reachedRows: reached, machineRows: machine } = job;
  return [
    { key: "reached", label: t`Reached`, color: "green.6", count: reached },
    { key: "machine", label: t`Machine`, color: "yellow.5", count: machine },
    { key: "missed", label: t`Not reached`, color: "red.6", count: Math.max(0, job.processedRows - reached - machine) },
    { key: "live", label: t`On the line`, color: "parley.5", count: live },
    { key: "retry", label: t`Retry later`, color: "orange.5", count: retry },
    { key: "queued", label: t`Queued`, color: "gray.5", count: left - retry },
  ];
}

/** The parts as one bar. */
export function JobBar({ parts, size = "sm" }: { parts: JobPart[]; size?: string }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const text = parts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${formatNumber(count)}`)
    .join(", ");
  return (
    <Progress.Root size={size} radius="xl" role="img" aria-label={text === "" ? t`No rows` : text} className="job-bar">
      {parts.map(
        ({ key, color, count }) =>
          count > 0 &&
          key !== "queued" && (
            <Progress.Section key={key} value={(100 * count) / total} color={color} withAria={false} />
          ),
      )}
    </Progress.Root>
  );
}

/** Progress of a job in percent: 0 and 100 only where that is exact. */
export function formatDone({ totalRows, processedRows }: CallJob): string {
  if (totalRows === 0 || processedRows === 0) return formatShare(0);
  const percent = (100 * processedRows) / totalRows;
  return percent < 1 ? `<${formatShare(0.01)}` : formatShare(Math.floor(percent) / 100);
}

/** A colour of the theme, such as `red.6`, as CSS. */
export function colorOf(color: string): string {
  return `var(--mantine-color-${color.replace(".", "-")})`;
}
