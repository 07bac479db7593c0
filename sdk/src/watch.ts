import type { RateLimit, Transport } from "./transport.ts";
import type { CallJob, CallRow, JobStatus, RequestOptions, RowStatus, TranscriptTurn } from "./types.ts";

const ENDED_ROWS: readonly RowStatus[] = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"];
const ENDED_JOBS: readonly JobStatus[] = ["COMPLETED", "CANCELLED", "FAILED"];

/** True for a status that a row never leaves. */
export function isEndedRow(status: RowStatus): boolean {
  return ENDED_ROWS.includes(status);
}

/** True for a status that ends a run of a job. */
export function isEndedJob(status: JobStatus): boolean {
  return ENDED_JOBS.includes(status);
}

/** An event observed while watching a call. `turn` comes once for each line of the transcript. */
export type CallEvent =
  | { type: "status"; status: RowStatus; row: CallRow }
  | { type: "turn"; turn: TranscriptTurn; row: CallRow }
  | { type: "ended"; row: CallRow };

/** Options for watching. `pollMs` is the wanted interval; a bucket that runs low makes it longer. */
export interface WatchOptions extends RequestOptions {
  pollMs?: number;
}

const CALL_POLL_MS = 300;
const JOB_POLL_MS = 500;

/**
 * Returns the milliseconds to wait before the next poll. Above half a bucket that is `wantedMs`. Below half a watch
 * uses half of the refill, below a quarter a quarter, so that it never empties the bucket it shares with the caller's
 * other requests. The refill rate is (limit - remaining) over the seconds until full, with one token less for the
 * rounding of `remaining`.
 */
export function pollDelayMs(rate: RateLimit | undefined, wantedMs: number): number {
  if (!rate) return wantedMs;
  const { limit, remaining, resetSeconds } = rate;
  // One poll too many empties a bucket of three or less: wait until it is full.
  if (limit < 4) return Math.max(wantedMs, resetSeconds * 1000);
  if (remaining > limit / 2 || resetSeconds === 0) return wantedMs;
  const tokensPerSecond = (limit - remaining - 1) / resetSeconds;
  const share = remaining < limit / 4 ? 4 : 2;
  return Math.max(wantedMs, (share / tokensPerSecond) * 1000);
}

/** Polls a call until it has ended; passes each change to `onEvent`. Returns the ended row. */
export async function watchCall(
  transport: Transport,
  look: () => Promise<CallRow>,
  onEvent: ((event: CallEvent) => void) | undefined,
  options: WatchOptions,
): Promise<CallRow> {
  let seenStatus: RowStatus | undefined;
  let seenTurns = 0;
  for (;;) {
    const row = await look();
    if (row.status !== seenStatus && !isEndedRow(row.status)) onEvent?.({ type: "status", status: row.status, row });
    seenStatus = row.status;
    // A new attempt starts a new transcript.
    if (row.transcript.length < seenTurns) seenTurns = 0;
    for (const turn of row.transcript.slice(seenTurns)) onEvent?.({ type: "turn", turn, row });
    seenTurns = row.transcript.length;
    if (isEndedRow(row.status)) {
      onEvent?.({ type: "ended", row });
      return row;
    }
    await transport.clock.sleep(pollDelayMs(transport.rateLimit, options.pollMs ?? CALL_POLL_MS), options.signal);
  }
}

/** Polls a job until a run of it has ended; passes every state read to `onProgress`. Returns the ended job. */
export async function watchJob(
  transport: Transport,
  look: () => Promise<CallJob>,
  onProgress: ((job: CallJob) => void) | undefined,
  options: WatchOptions,
): Promise<CallJob> {
  for (;;) {
    const job = await look();
    onProgress?.(job);
    if (isEndedJob(job.status)) return job;
    await transport.clock.sleep(pollDelayMs(transport.rateLimit, options.pollMs ?? JOB_POLL_MS), options.signal);
  }
}
