import { Turns } from "#src/platform/kernel/turns.ts";

/** Requests that this process works on at once; each takes a fraction of a millisecond of its time, and some of the database's. */
const SLOTS = 12;
/** Those that several workspaces share out while they ask at the same time, and what each has at least. */
const SHARED = 6;
const LEAST = 2;
/** A workspace counts as one that asks for so long after its last request. */
const RECENT_MS = 1_000;
/** A request that takes longer waits for others (a model, a body, a stream) and is in nobody's way. */
const LONGEST_TURN_MS = 20;
/** A workspace that has more waiting while others ask rests after each request as long as it took, and while the event loop is busy at least so long. */
const LEAST_REST_MS = 3;
/** The share of the time that the event loop works, from which on it counts as busy; looked at so often. */
const BUSY = 0.5;
const LOOK_MS = 50;

/**
 * The turns in which a process begins requests, by workspace, or by address where nobody is known. One that asks alone has
 * all slots; beside others a workspace that sends two hundred requests at once waits behind itself, and does not keep the
 * event loop and the database so busy that the others feel it.
 */
export class RequestTurns {
  readonly #turns = new Turns({ slots: SLOTS, perKey: () => this.#share() });
  /** Requests of each key in this second and in the one before. */
  #asking = new Map<string, number>();
  #askedBefore = new Map<string, number>();
  #since = 0;
  readonly #load = new LoopLoad();

  /** Waits for a turn and returns what ends it; it ends by itself after 20 ms. */
  async take(key: string): Promise<() => void> {
    this.#turnOver();
    this.#asking.set(key, (this.#asking.get(key) ?? 0) + 1);
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
    const timer = setTimeout(endAfter, LONGEST_TURN_MS, 0);
    return () => endAfter(this.#restAfter(key, performance.now() - startedAt));
  }

  /** Returns how many requests a second came from others than this key lately. */
  countOthers(key: string): number {
    this.#turnOver();
    let count = 0;
    for (const [other, requests] of this.#askedBefore) if (other !== key) count += requests;
    return count;
  }

  #turnOver(): void {
    const elapsedMs = performance.now() - this.#since;
    if (elapsedMs <= RECENT_MS) return;
    this.#askedBefore = elapsedMs > 2 * RECENT_MS ? new Map() : this.#asking;
    this.#asking = new Map();
    this.#since = performance.now();
  }

  #restAfter(key: string, tookMs: number): number {
    if (this.#turns.countWaiting(key) === 0 || this.#share() === SLOTS) return 0;
    return this.#load.isBusy() ? Math.max(tookMs, LEAST_REST_MS) : tookMs;
  }

  #share(): number {
    const keys = Math.max(this.#asking.size, this.#askedBefore.size);
    return keys > 1 ? Math.max(LEAST, Math.floor(SHARED / keys)) : SLOTS;
  }
}

/** How busy the event loop was in the last fifty milliseconds. */
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

/** Of this process: all requests share its event loop. */
export const requestTurns = new RequestTurns();
