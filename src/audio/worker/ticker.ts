import type { ThreadRest } from "./thread-rest.ts";

/** Length of a frame, and of a tick of each call. */
export const TICK_MS = 20;
/**
 * Phases of 5 ms over which calls are spread, so that a node's packets leave in four smaller bursts. The schedule is
 * absolute: a timer for each call that restarts loses 0.23 % of its time, 0.7 s in five minutes (measured).
 */
const PHASES = 4;
const STEP_MS = TICK_MS / PHASES;
/**
 * Number of calls below which every second phase is used: each step wakes the thread, which for a few calls costs more
 * than the calls (0.3 ms, bench/media).
 */
const FEW_CALLS = 150;
/**
 * Steps (10 ms) from a call's receiving to its sending: an answer that is ready at once goes out in the tick that ended
 * the person's turn, and not 20 ms later.
 */
const SAY_AFTER_STEPS = 2;

/** Work that happens every 20 ms, in two halves. */
export interface Ticked {
  hear(): void;
  say(): void;
}

/** Lateness of ticks, in milliseconds. */
export interface Lateness {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Size of the histogram, which counts lateness in tenths of a millisecond. */
const HISTOGRAM_SIZE = 5_000;

/**
 * One ticker for all calls of a media worker. A missed tick is made up for, never dropped: the other side counts
 * samples, not our time.
 */
export class Ticker {
  readonly #phases: Set<Ticked>[] = Array.from({ length: PHASES }, () => new Set());
  readonly #histogram = new Uint32Array(HISTOGRAM_SIZE);
  readonly #now: () => number;
  readonly #onFault: (ticked: Ticked, error: unknown) => void;
  readonly #rest: ThreadRest | null;
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  #steps = 0;

  /** `onFault` is called for a call whose tick threw; the others go on. With `rest` the thread sleeps between steps. */
  constructor(
    onFault: (ticked: Ticked, error: unknown) => void,
    now = () => performance.now(),
    rest: ThreadRest | null = null,
  ) {
    this.#onFault = onFault;
    this.#now = now;
    this.#rest = rest;
  }

  /** Adds a call to the phase that has the fewest. */
  add(ticked: Ticked): void {
    const calls = this.#phases.reduce((sum, { size }) => sum + size, 0);
    const open = calls < FEW_CALLS ? this.#phases.filter((_, index) => index % SAY_AFTER_STEPS === 0) : this.#phases;
    const [fewest] = open.toSorted((a, b) => a.size - b.size);
    fewest?.add(ticked);
    if (this.#timer) return;
    this.#startedAtMs = this.#now();
    this.#steps = 0;
    this.#wait();
  }

  /** Removes a call. The last one stops the clock. */
  remove(ticked: Ticked): void {
    for (const phase of this.#phases) phase.delete(ticked);
    if (this.#phases.some((phase) => phase.size > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Returns the lateness of the ticks since the last call. */
  readLateness(): Lateness {
    let total = 0;
    for (const count of this.#histogram) total += count;
    const at = (share: number): number => {
      let seen = 0;
      for (let i = 0; i < HISTOGRAM_SIZE; i++) {
        seen += this.#histogram[i] ?? 0;
        if (seen > 0 && seen >= total * share) return i / 10;
      }
      return 0;
    };
    const lateness = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
    this.#histogram.fill(0);
    return lateness;
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#run(), Math.max(1, this.#dueInMs()));
  }

  /** Milliseconds until the next step in which a call receives or sends. */
  #dueInMs(): number {
    let step = this.#steps;
    while (!this.#isBusy(step) && step < this.#steps + PHASES) step++;
    return this.#startedAtMs + step * STEP_MS - this.#now();
  }

  #isBusy(step: number): boolean {
    return this.#hearing(step).size > 0 || this.#saying(step).size > 0;
  }

  #hearing(step: number): Set<Ticked> {
    return this.#phases[step % PHASES] as Set<Ticked>;
  }

  #saying(step: number): Set<Ticked> {
    return this.#hearing(step + PHASES - SAY_AFTER_STEPS);
  }

  /** Sleeps after the waiting packets and orders have been taken, and the events sent. */
  #sleep(rest: ThreadRest): void {
    rest.begin();
    setImmediate(() => {
      if (this.#timer) rest.sleep(this.#dueInMs());
    });
  }

  #run(): void {
    for (let dueAtMs = this.#startedAtMs + this.#steps * STEP_MS; dueAtMs <= this.#now(); dueAtMs += STEP_MS) {
      const step = this.#steps++;
      if (!this.#isBusy(step)) continue;
      this.#runPhase(this.#hearing(step), hear);
      this.#runPhase(this.#saying(step), say);
      this.#noteLateness(dueAtMs);
    }
    if (!this.#timer) return;
    this.#wait();
    if (this.#rest) this.#sleep(this.#rest);
  }

  #runPhase(phase: Set<Ticked>, half: (ticked: Ticked) => void): void {
    for (const ticked of phase) {
      try {
        half(ticked);
      } catch (error) {
        phase.delete(ticked);
        this.#onFault(ticked, error);
      }
    }
  }

  #noteLateness(dueAtMs: number): void {
    const late = Math.round((this.#now() - dueAtMs) * 10);
    const bucket = Math.min(HISTOGRAM_SIZE - 1, Math.max(0, late));
    this.#histogram[bucket] = (this.#histogram[bucket] ?? 0) + 1;
  }
}

function hear(ticked: Ticked): void {
  ticked.hear();
}

function say(ticked: Ticked): void {
  ticked.say();
}
