import { availableParallelism } from "node:os";
import { Turns } from "#src/platform/kernel/turns.ts";

/**
 * Requests that this process runs at once; each takes a fraction of a millisecond of its time, and some of the
 * database's.
 */
const SLOTS = 12;
/**
 * Slots that several workspaces share while they send requests at the same time, and the fewest that each of them gets.
 */
const SHARED = 6;
const LEAST = 2;
/**
 * Slots that all workspaces with more requests waiting share, while others are active: they leave a core to the others.
 * On two cores, one at a time with shorter rests serves them as much as four at once, and everybody's single request
 * waits less (its p99 is 17 ms instead of 20 beside 140 of theirs a second).
 */
const CROWDED = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A workspace counts as active for so long after its last request. */
const RECENT_MS = 1_000;
/** A longer request waits for something else (a model, a body, a stream) and delays nobody, so its turn ends. */
const LONGEST_TURN_MS = 20;
/**
 * A workspace with more requests waiting, while others are active, pauses after each request for as long as it took, and
 * for up to MOST_REST times as long beside SINGLES_FOR_MOST requests a second of workspaces that have none waiting. The
 * pause is LEAST_REST_MS at least while the event loop is busy.
 */
const MOST_REST = 4 * CROWDED;
const SINGLES_FOR_MOST = 40;
const LEAST_REST_MS = 3;
/** Event loop utilisation from which on it counts as busy, and milliseconds between measurements. */
const BUSY = 0.5;
const LOOK_MS = 50;

/**
 * Hands out the turns in which a process begins requests, by workspace, or by address when the caller is unknown. A
 * lone workspace has all slots. Beside others, a workspace that sends two hundred requests at once delays only itself,
 * and does not keep the event loop and the database so busy that the others notice.
 */
export class RequestTurns {
  readonly #turns = new Turns({
    slots: SLOTS,
    perKey: () => this.#share(),
    crowded: () => (this.#countKeys() > 1 ? CROWDED : SLOTS),
  });
  /** Requests of each key in this second and in the one before. */
  #asking = new Map<string, number>();
  #askedBefore = new Map<string, number>();
  /** Requests that began at once, in this second and in the one before. */
  #singles = 0;
  #singlesBefore = 0;
  #since = 0;
  readonly #load = new LoopLoad();

  /** Waits for a turn and returns the function that ends it; it ends by itself after 20 ms. */
  async take(key: string): Promise<() => void> {
    this.#turnOver();
    this.#asking.set(key, (this.#asking.get(key) ?? 0) + 1);
    if (this.#turns.isFree(key)) this.#singles++;
    const end = await this.#turns.take(key);
    const startedAt = performance.now();
    let isOver = false;
    const endAfter = (restMs: number) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (restMs > 0) setTimeout(end, restMs);
      else end();
    };
    const restAfter = () => this.#restAfter(key, performance.now() - startedAt);
    const timer = setTimeout(() => endAfter(restAfter()), LONGEST_TURN_MS);
    return () => endAfter(restAfter());
  }

  /** Returns the number of requests that all other keys sent in the second before. */
  countOthers(key: string): number {
    this.#turnOver();
    let count = 0;
    for (const [other, requests] of this.#askedBefore) if (other !== key) count += requests;
    return count;
  }

  #turnOver(): void {
    const elapsedMs = performance.now() - this.#since;
    if (elapsedMs <= RECENT_MS) return;
    const isLongAgo = elapsedMs > 2 * RECENT_MS;
    this.#askedBefore = isLongAgo ? new Map() : this.#asking;
    this.#asking = new Map();
    this.#singlesBefore = isLongAgo ? 0 : this.#singles;
    this.#singles = 0;
    this.#since = performance.now();
  }

  #restAfter(key: string, tookMs: number): number {
    if (this.#turns.countWaiting(key) === 0 || this.#countKeys() <= 1) return 0;
    const share = Math.min(1, this.#singlesBefore / SINGLES_FOR_MOST);
    const restMs = tookMs * (1 + (MOST_REST - 1) * share);
    return this.#load.isBusy() ? Math.max(restMs, LEAST_REST_MS) : restMs;
  }

  #countKeys(): number {
    return Math.max(this.#asking.size, this.#askedBefore.size);
  }

  #share(): number {
    const keys = this.#countKeys();
    return keys > 1 ? Math.max(LEAST, Math.floor(SHARED / keys)) : SLOTS;
  }
}

/** Measures whether the event loop was busy in the last fifty milliseconds. */
class LoopLoad {
  #last = performance.eventLoopUtilization();
  #at = performance.now();
  #isBusy = false;

  isBusy(): boolean {
    if (performance.now() - this.#at >= LOOK_MS) {
      const now = performance.eventLoopUtilization();
      this.#isBusy = performance.eventLoopUtilization(now, this.#last).utilization > BUSY;
      this.#last = now;
      this.#at = performance.now();
    }
    return this.#isBusy;
  }
}

/** The turns of this process: all requests share its event loop. */
export const requestTurns = new RequestTurns();
