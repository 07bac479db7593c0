import { WaitTimeoutError } from "./errors.ts";
import type { CallJob, CallRow, Simulation, TranscriptTurn } from "./generated/shapes.ts";
import type { RequestOptions } from "./resource.ts";
import type { RateLimit, Transport } from "./transport.ts";
import type { JobStatus, RowStatus } from "./types.ts";

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

/** True for a run that will not change any more. */
export function isEndedSimulation({ state }: Pick<Simulation, "state">): boolean {
  return state !== "QUEUED" && state !== "RUNNING";
}

/** An event observed while watching a call. `turn` comes once for each line of the transcript, when the line is whole. */
export type CallEvent =
  | { type: "status"; status: RowStatus; row: CallRow }
  | { type: "turn"; turn: TranscriptTurn; row: CallRow }
  | { type: "ended"; row: CallRow };

/** Options for watching. */
export interface WatchOptions extends RequestOptions {
  /**
   * Wanted milliseconds between two looks. While nothing changes they grow, up to eightfold; a bucket that runs low
   * makes them longer.
   */
  pollMs?: number;
  /** Milliseconds after which watching ends with WaitTimeoutError; the call or job goes on. None by default. */
  waitTimeoutMs?: number;
}

const CALL_POLL_MS = 300;
const JOB_POLL_MS = 500;
const SLOWER = 1.25;
const SLOWEST = 8;

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

/** A way to look at something until it has ended. */
export interface Watched<T> {
  /** Name of the watched thing, for the message of a timeout. */
  subject: string;
  pollMs: number;
  look: (options: RequestOptions) => Promise<T>;
  isEnded: (state: T) => boolean;
}

/** Gives every state that was read, the ended one last. */
export async function* readStates<T>(
  transport: Transport,
  { subject, pollMs, look, isEnded }: Watched<T>,
  options: WatchOptions,
): AsyncGenerator<T, T, undefined> {
  const { clock } = transport;
  const { waitTimeoutMs = Infinity, signal, timeoutMs, headers } = options;
  const looking = {
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(headers && { headers }),
  };
  const wantedMs = options.pollMs ?? pollMs;
  const deadlineMs = clock.nowMs() + waitTimeoutMs;
  let slower = 1;
  for (let before = ""; ;) {
    const state = await look(looking);
    yield state;
    if (isEnded(state)) return state;
    const now = JSON.stringify(state);
    slower = now === before ? Math.min(slower * SLOWER, SLOWEST) : 1;
    before = now;
    const leftMs = deadlineMs - clock.nowMs();
    if (leftMs <= 0) throw new WaitTimeoutError(`${subject} has not ended within ${waitTimeoutMs} ms.`);
    await clock.sleep(Math.min(pollDelayMs(transport.rateLimit, wantedMs * slower), leftMs), signal);
  }
}

/** Reads states to the end, passes each to `onState`, and returns the ended one. */
export async function readToEnd<T, End>(
  states: AsyncGenerator<T, End, undefined>,
  onState?: (state: T) => void,
): Promise<End> {
  for (;;) {
    const { value, done } = await states.next();
    if (done) return value;
    onState?.(value);
  }
}

/** Polls a call until it has ended; gives each change, and returns the ended row. */
export async function* readCallEvents(
  transport: Transport,
  rowId: string,
  look: (options: RequestOptions) => Promise<CallRow>,
  options: WatchOptions,
): AsyncGenerator<CallEvent, CallRow, undefined> {
  const isEnded = ({ status }: CallRow) => isEndedRow(status);
  const states = readStates(transport, { subject: `Call ${rowId}`, pollMs: CALL_POLL_MS, look, isEnded }, options);
  let seenStatus: RowStatus | undefined;
  const lines = new Lines();
  for (;;) {
    const { value: row, done } = await states.next();
    if (done) return row;
    if (row.status !== seenStatus && !isEnded(row)) yield { type: "status", status: row.status, row };
    seenStatus = row.status;
    for (const turn of lines.take(row)) yield { type: "turn", turn, row };
    if (isEnded(row)) yield { type: "ended", row };
  }
}

/**
 * The lines of a call that were given. The next attempt has a transcript of its own, but until its words are stored,
 * which is at its end if it is short, the row still has the one before.
 */
class Lines {
  #given: TranscriptTurn[] = [];
  #attempt: number | undefined;
  /** True when an attempt may have begun since the lines were given. */
  #mayBeNew = true;

  /** Returns the whole lines that were not given yet. */
  take(row: CallRow): TranscriptTurn[] {
    const whole = row.transcript.slice(0, countWhole(row));
    const isTalking = row.status === "IN_PROGRESS" || isEndedRow(row.status);
    if (!isTalking || row.attempt !== this.#attempt) this.#mayBeNew = true;
    this.#attempt = row.attempt;
    if (row.transcript.length === 0 || (this.#mayBeNew && !this.#goOnIn(whole))) this.#given = [];
    const fresh = whole.slice(this.#given.length);
    if (fresh.length > 0) {
      this.#given = whole;
      this.#mayBeNew = false;
    }
    return fresh;
  }

  #goOnIn(whole: TranscriptTurn[]): boolean {
    return whole.every((turn, i) => {
      const given = this.#given[i];
      return !given || (given.content === turn.content && given.startMs === turn.startMs);
    });
  }
}

/** Returns the lines that stay as they are. Sentences join the last one of a conversation until somebody else speaks. */
function countWhole({ status, transcript }: CallRow): number {
  return status === "IN_PROGRESS" ? Math.max(0, transcript.length - 1) : transcript.length;
}

/** Polls a job until a run of it has ended; gives every state read. */
export function readJobStates(
  transport: Transport,
  id: string,
  look: (options: RequestOptions) => Promise<CallJob>,
  options: WatchOptions,
): AsyncGenerator<CallJob, CallJob, undefined> {
  const isEnded = ({ status }: CallJob) => isEndedJob(status);
  return readStates(transport, { subject: `Job ${id}`, pollMs: JOB_POLL_MS, look, isEnded }, options);
}
