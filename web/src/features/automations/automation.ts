import { inWorkspace } from "#web/api/http.ts";
import { t } from "#web/i18n/t.ts";
import { formatDecimal, formatName } from "#web/ui/format/format.ts";

/** An automation that makes reports or exports, as the API returns it. */
export interface Automation {
  id: string;
  name: string;
  description: string | null;
  kind: "CALL_JOB_REPORT" | "DAILY_DIGEST" | "EXPORT";
  enabled: boolean;
  callJobId: string | null;
  schedule: { time: string; days: string[]; timeZone: string } | null;
  export: {
    format: "CSV" | "JSON";
    status: string[];
    outcome: string[];
    createdAfter: string | null;
    createdBefore: string | null;
  } | null;
  nextRunAt: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** A run of an automation. */
export interface AutomationRun {
  id: string;
  trigger: string;
  status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED";
  callJobId: string | null;
  callJobRun: number | null;
  from: string | null;
  until: string | null;
  artifactCount: number;
  error: { code: string; message: string } | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** A file that a run made. */
export interface Artifact {
  id: string;
  runId: string;
  type: "TEXT" | "JSON" | "FILE" | "HTML" | "TABLE";
  name: string;
  title: string;
  mimeType: string;
  sizeBytes: number;
  metadata: Record<string, unknown>;
  createdAt: string;
}

/** Label and description of each kind. */
export const KINDS: Record<Automation["kind"], { label: string; lead: string }> = {
  CALL_JOB_REPORT: {
    label: t`Report of call jobs`,
    lead: t`A page, a table of the rows and a summary, whenever a call job is over.`,
  },
  DAILY_DIGEST: { label: t`Digest`, lead: t`What happened since the last one, at a time of day.` },
  EXPORT: { label: t`Export`, lead: t`Calls as CSV or JSON, whenever you ask.` },
};

/** Text of the schedule, such as `Mon, Tue at 08:00 (Europe/Berlin)`. */
export function describeTrigger({ kind, schedule, callJobId }: Automation): string {
  if (kind === "EXPORT") return t`When asked`;
  if (kind === "CALL_JOB_REPORT")
    return callJobId === null ? t`When any call job is over` : t`When one call job is over`;
  if (!schedule) return "–";
  const days = schedule.days.length === 0 ? t`Every day` : schedule.days.map(formatName).join(", ");
  return t`${days} at ${schedule.time} (${schedule.timeZone})`;
}

/** `840 B`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${formatDecimal(bytes / 1_000, bytes < 10_000 ? 1 : 0)} kB`;
  return `${formatDecimal(bytes / 1_000_000, 1)} MB`;
}

/** URL of a file's bytes. */
export function contentOf(workspaceId: string, artifactId: string): string {
  return inWorkspace(workspaceId, `/artifacts/${artifactId}/content`);
}
