import { setImmediate } from "node:timers/promises";
import type { RehearsedNumber } from "./rehearsed-job.ts";
import type { WindowClock } from "./window-clock.ts";

/** Rows processed before the event loop gets a turn. */
const SLICE = 10_000;
/** Rows taken out of a queue, still in memory, from which on it is compacted. */
const COMPACT_AFTER = 65_536;

/** Due rows of one number and one set of zones, in order. */
export class DueRows {
  readonly clock: WindowClock;
  readonly #rows: number[] = [];
  #taken = 0;

  constructor(clock: WindowClock) {
    this.clock = clock;
  }

  get length(): number {
    return this.#rows.length - this.#taken;
  }

  push(row: number): void {
    this.#rows.push(row);
  }

  take(): number {
    const row = this.#rows[this.#taken++] as number;
    if (this.#taken < COMPACT_AFTER) return row;
    this.#rows.splice(0, this.#taken);
    this.#taken = 0;
    return row;
  }
}

/** A number and its queues of due rows. */
export interface Post {
  number: RehearsedNumber;
  free: number;
  nextDialMs: number;
  /** Queues by zones. `turn` moves on after each use, so that none starves. */
  due: DueRows[];
  turn: number;
  wakesAt: number;
}

/** Returns the queue whose window is open soonest, in turns among those open now. */
export function nextDue(post: Post, nowMs: number): { due: DueRows; openMs: number } | null {
  let best: { due: DueRows; openMs: number } | null = null;
  for (let i = 0; i < post.due.length; i++) {
    const due = post.due[(post.turn + i) % post.due.length] as DueRows;
    if (due.length === 0) continue;
    const openMs = due.clock.openFrom(nowMs);
    if (best === null || openMs < best.openMs) best = { due, openMs };
    if (openMs === nowMs) break;
  }
  post.turn = (post.turn + 1) % Math.max(1, post.due.length);
  return best;
}

/** Returns the index of each row's group in `groups`. Rows of different zones are mixed, as in an unsorted list. */
export async function spreadZones(groups: { zones: string[]; rows: number }[], rows: number): Promise<Uint16Array> {
  const zoneOf = new Uint16Array(rows);
  if (groups.length === 1) return zoneOf;
  const given = groups.map(() => 0);
  for (let row = 0; row < rows; row++) {
    if (row % SLICE === 0) await setImmediate();
    let chosen = 0;
    let pending = -Infinity;
    for (const [i, group] of groups.entries()) {
      const due = (group.rows * (row + 1)) / rows - (given[i] as number);
      if (due > pending && (given[i] as number) < group.rows) [chosen, pending] = [i, due];
    }
    given[chosen] = (given[chosen] as number) + 1;
    zoneOf[row] = chosen;
  }
  return zoneOf;
}
