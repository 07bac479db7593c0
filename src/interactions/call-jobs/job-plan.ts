import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { chooseParts, type JobSettings } from "./call-jobs.ts";
import { countWaitingByZones, findZones, listLimits } from "./plan-store.ts";
import { preflightJob } from "./preflight.ts";
import { shareLanes } from "./store-contacts.ts";
import { findJob } from "./store.ts";
import type { WebhookParts } from "./webhook.ts";

/** A number that a job calls from, with its limits. */
export interface PlannedNumber {
  phoneNumber: string;
  /** Concurrent calls: the number's own limit, or the job's share in it. */
  slots: number;
  callsPerSecond: number | null;
  account: { id: string; callsPerSecond: number } | null;
}

/** Settings with which a job would dial its rows, and the counts of those rows, without naming contacts. */
export interface JobPlan {
  flowId: string | null;
  inlineFlow: object | null;
  numbers: PlannedNumber[];
  retry: RetryConfig;
  /** The job's window, or else the workspace's; null means any hour. */
  window: CallingWindow | null;
  startAt: Date | null;
  /** Rows that the gate passes, by the zones of their windows. */
  zones: { zones: string[]; rows: number }[];
  /** Rows that the gate blocks, by reason. */
  skipped: { code: string; count: number }[];
}

/** Plans the waiting rows of an existing job: 404 for one that does not exist, 409 when no row waits. */
export async function planJob(tx: Executor, workspaceId: string, jobId: string): Promise<JobPlan> {
  const job = await findJob(tx, workspaceId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  const { callableRows, reasons } = await preflightJob(tx, workspaceId, jobId);
  const waiting = await countWaitingByZones(tx, workspaceId, jobId);
  if (waiting.length === 0) throw new AppError("CONFLICT", "No row of this job waits to be dialled.");
  const { callingWindow } = await getWorkspace(tx, workspaceId);
  const window = job.calling_window ?? callingWindow;
  return {
    flowId: job.flow_id,
    inlineFlow: job.inline_flow,
    numbers: await planNumbers(tx, workspaceId, job.phone_number_ids, job.max_concurrency),
    retry: job.retry_config,
    window,
    startAt: job.start_at,
    // The gate blocks rows whose zone is unknown.
    zones: scaleTo(
      callableRows,
      waiting.filter(({ zones }) => zones !== null || window === null),
    ),
    skipped: reasons.map(({ code, count }) => ({ code, count })),
  };
}

/**
 * Plans a job that does not exist yet; its settings are checked as at its creation. `timeZones` divides its rows among
 * zones; null when unknown.
 */
export async function planSettings(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  settings: JobSettings,
  rows: number,
  timeZones: { timeZone: string; share: number }[] | null,
): Promise<JobPlan> {
  const chosen = await chooseParts(tx, parts, workspaceId, settings);
  const { callingWindow } = await getWorkspace(tx, workspaceId);
  const window = chosen.callingWindow ?? callingWindow;
  const ids = chosen.numbers.map(({ id }) => id);
  return {
    flowId: chosen.flow.flowId,
    inlineFlow: chosen.flow.inline,
    numbers: await planNumbers(tx, workspaceId, ids, chosen.maxConcurrency),
    retry: chosen.retryConfig,
    window,
    startAt: chosen.startAt,
    zones: await guessZones(tx, window, chosen.numbers[0]?.number ?? "", rows, timeZones),
    skipped: [],
  };
}

async function planNumbers(
  tx: Executor,
  workspaceId: string,
  ids: string[],
  maxConcurrency: number | null,
): Promise<PlannedNumber[]> {
  const limits = await listLimits(tx, workspaceId, ids);
  if (limits.length === 0) throw new AppError("CONFLICT", "None of the job's numbers may be dialled from.");
  const lanes = shareLanes(ids, maxConcurrency);
  return limits.map((limit) => {
    const share = lanes.find(({ phoneNumberId }) => phoneNumberId === limit.id)?.maxCalls ?? null;
    const { account_id: id, account_calls_per_second: pace } = limit;
    return {
      phoneNumber: limit.number,
      slots: Math.min(limit.max_concurrent_calls, share ?? limit.max_concurrent_calls),
      callsPerSecond: limit.calls_per_second,
      account: id === null || pace === null ? null : { id, callsPerSecond: pace },
    };
  });
}

async function guessZones(
  tx: Executor,
  window: CallingWindow | null,
  callingNumber: string,
  rows: number,
  timeZones: { timeZone: string; share: number }[] | null,
): Promise<JobPlan["zones"]> {
  if (window?.timeZone) return [{ zones: [window.timeZone], rows }];
  if (timeZones === null || timeZones.length === 0) {
    return [{ zones: await findZones(tx, classifyNumber(callingNumber).country), rows }];
  }
  return scaleTo(
    rows,
    timeZones.map(({ timeZone, share }) => ({ zones: [timeZone], count: share })),
  );
}

/** Scales groups in proportion so that they add up to `rows`. */
function scaleTo(rows: number, groups: { zones: string[] | null; count: number }[]): JobPlan["zones"] {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  let left = rows;
  let weight = total;
  return groups.map(({ zones, count }) => {
    const share = weight === 0 ? 0 : Math.round((left * count) / weight);
    left -= share;
    weight -= count;
    return { zones: zones ?? [], rows: share };
  });
}
