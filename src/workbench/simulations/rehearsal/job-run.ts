import { setImmediate } from "node:timers/promises";
import { retryDelayMs } from "#src/interactions/calls/retry.ts";
import { DueRows, nextDue, type Post, spreadZones } from "./due-rows.ts";
import { EventHeap } from "./event-heap.ts";
import type { JobRun, MeetRow, RehearsedJob } from "./rehearsed-job.ts";
import { WindowCalendar, WindowClock } from "./window-clock.ts";

const HOUR_MS = 3_600_000;
/** The planning horizon; without it, a window of a minute a day would go on for centuries. */
const HORIZON_MS = 400 * 24 * HOUR_MS;
/** Events processed before the event loop gets a turn. */
const SLICE = 20_000;

/**
 * Runs a job on a simulated clock: rows queue at their number by due time, and are dialled when a slot is free, the
 * pace allows it and their window is open.
 */
export async function runJob(
  job: RehearsedJob,
  meet: MeetRow,
  random: () => number,
  { calendars = openCalendars(job), signal }: { calendars?: WindowCalendar[]; signal?: AbortSignal | undefined } = {},
): Promise<JobRun> {
  const rows = job.zones.reduce((sum, group) => sum + group.rows, 0);
  const run = new Run(job, meet, random, calendars, await spreadZones(job.zones, rows));
  const rest = async () => {
    signal?.throwIfAborted();
    await setImmediate();
  };
  for (let row = 0; row < rows; row += SLICE) {
    run.queue(row, Math.min(rows, row + SLICE));
    await rest();
  }
  run.start();
  while (run.advance(SLICE)) await rest();
  return run.result;
}

/** Returns the calendars of a job's rows, one for each group of zones; all its runs may share them. */
export function openCalendars({ window, zones, startMs }: RehearsedJob): WindowCalendar[] {
  return zones.map((group) => new WindowCalendar(window, group.zones, startMs));
}

class Run {
  readonly result: JobRun;
  readonly #job: RehearsedJob;
  readonly #meet: MeetRow;
  readonly #random: () => number;
  readonly #posts: Post[];
  readonly #accountNextMs = new Map<string, number>();
  readonly #heap = new EventHeap();
  /** Attempts made by each row, and the index of its group in `zones`. */
  readonly #attempts: Uint8Array;
  readonly #zoneOf: Uint16Array;

  constructor(
    job: RehearsedJob,
    meet: MeetRow,
    random: () => number,
    calendars: WindowCalendar[],
    zoneOf: Uint16Array,
  ) {
    this.#job = job;
    this.#meet = meet;
    this.#random = random;
    this.#attempts = new Uint8Array(zoneOf.length);
    this.#zoneOf = zoneOf;
    this.#posts = job.numbers.map((number) => ({
      number,
      free: number.slots,
      nextDialMs: job.startMs,
      due: calendars.map((calendar) => new DueRows(new WindowClock(calendar))),
      turn: 0,
      wakesAt: Infinity,
    }));
    this.result = {
      endMs: job.startMs,
      attempts: 0,
      talkMs: 0,
      cost: 0,
      ends: new Map(),
      leftRows: 0,
      numbers: job.numbers.map(() => ({ attempts: 0, busyMs: 0 })),
      hours: [],
    };
  }

  /** Queues the rows from `first` up to `end`. */
  queue(first: number, end: number): void {
    for (let row = first; row < end; row++) this.#queue(row);
  }

  /** Dials the rows that can be dialled at the start. */
  start(): void {
    for (let i = 0; i < this.#posts.length; i++) this.#serve(i, this.#job.startMs);
  }

  /** Processes up to `count` events. Returns false when the job is over. */
  advance(count: number): boolean {
    for (let i = 0; i < count; i++) {
      const at = this.#heap.nextAt;
      const value = this.#heap.pop();
      if (value === undefined) {
        this.#countLeft();
        return false;
      }
      this.#happen(value, at);
    }
    return true;
  }

  // Handles an event, whose kind is its value's remainder: a call ends, a row is due again, a number has its turn.
  #happen(value: number, at: number): void {
    const subject = Math.floor(value / 3);
    const kind = value % 3;
    const post = kind === 2 ? subject : subject % this.#posts.length;
    const open = this.#posts[post] as Post;
    if (kind === 0) this.#endCall(subject, open, at);
    if (kind === 1) this.#queue(subject);
    if (kind === 2 && open.wakesAt === at) open.wakesAt = Infinity;
    this.#serve(post, at);
  }

  #queue(row: number): void {
    const post = this.#posts[row % this.#posts.length] as Post;
    (post.due[this.#zoneOf[row] as number] as DueRows).push(row);
  }

  #serve(index: number, nowMs: number): void {
    const post = this.#posts[index] as Post;
    while (post.free > 0) {
      const found = nextDue(post, nowMs);
      if (found === null) return;
      const dialMs = Math.max(found.openMs, this.#turnOf(post));
      if (dialMs > nowMs) return this.#wake(post, index, dialMs);
      this.#dial(post, index, found.due.take(), nowMs);
    }
  }

  #turnOf({ number, nextDialMs }: Post): number {
    return number.account ? Math.max(nextDialMs, this.#accountNextMs.get(number.account.id) ?? 0) : nextDialMs;
  }

  #wake(post: Post, index: number, at: number): void {
    // Rows that would be dialled later are left.
    if (at >= post.wakesAt || at > this.#job.startMs + HORIZON_MS) return;
    post.wakesAt = at;
    this.#heap.push(at, index * 3 + 2);
  }

  #dial(post: Post, index: number, row: number, nowMs: number): void {
    const { number } = post;
    const attempt = (this.#attempts[row] = (this.#attempts[row] as number) + 1);
    const meeting = this.#meet(row, attempt);
    const { standsFor = 1 } = this.#job;
    const durationMs = (meeting.ringMs + meeting.talkMs) * standsFor;
    post.free--;
    const pace = number.callsPerSecond ?? number.account?.callsPerSecond ?? null;
    if (pace !== null) post.nextDialMs = nowMs + (1_000 * standsFor) / pace;
    if (number.account)
      this.#accountNextMs.set(number.account.id, nowMs + (1_000 * standsFor) / number.account.callsPerSecond);
    const of = this.result.numbers[index] as JobRun["numbers"][number];
    of.attempts++;
    of.busyMs += durationMs;
    this.result.attempts++;
    this.result.talkMs += meeting.talkMs;
    this.result.cost += meeting.cost;
    const hour = this.#hourAt(nowMs);
    hour.attempts++;
    hour.talkMs += meeting.talkMs;
    this.#heap.push(nowMs + durationMs, row * 3);
  }

  #endCall(row: number, post: Post, at: number): void {
    post.free++;
    this.result.endMs = Math.max(this.result.endMs, at);
    const attempts = this.#attempts[row] as number;
    const { outcome, mayRetry, status } = this.#meet(row, attempts);
    const delayMs = mayRetry ? retryDelayMs(this.#job.retry, outcome, attempts, this.#random) : null;
    if (delayMs !== null) {
      this.#heap.push(at + delayMs, row * 3 + 1);
      return;
    }
    const key = `${status} ${outcome}`;
    this.result.ends.set(key, (this.result.ends.get(key) ?? 0) + 1);
    this.#hourAt(at).endedRows++;
  }

  #hourAt(at: number): JobRun["hours"][number] {
    const index = Math.floor((at - this.#job.startMs) / HOUR_MS);
    while (this.result.hours.length <= index) this.result.hours.push({ attempts: 0, endedRows: 0, talkMs: 0 });
    return this.result.hours[index] as JobRun["hours"][number];
  }

  #countLeft(): void {
    for (const { due } of this.#posts) for (const rows of due) this.result.leftRows += rows.length;
  }
}
