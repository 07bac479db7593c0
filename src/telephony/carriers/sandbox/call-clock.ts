import type { SandboxSpeed } from "./sandbox-dial.ts";

let turn: Promise<void> | undefined;

/**
 * Resolves in the event loop's next turn. All callers of one turn share one callback, so that thousands of instant
 * calls cost no timers and still let sockets be read between two of their steps.
 */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/**
 * The clock of one call. Time passes only through `pass`: the clock shows exactly the sum of the call's script,
 * whatever the machine's load, and the real wait is that divided by the speed.
 */
export class CallClock {
  readonly #speed: SandboxSpeed;
  readonly #waiting = new Set<() => void>();
  #nowMs = 0;
  #stopped = false;

  constructor(speed: SandboxSpeed) {
    this.#speed = speed;
  }

  /** Milliseconds of call time so far. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** True when call time passes without waiting. */
  get isInstant(): boolean {
    return this.#speed === "instant";
  }

  /** Restarts at zero: call time counts from the answer, not from the ring. */
  reset(): void {
    this.#nowMs = 0;
  }

  /** Lets `ms` of call time pass; returns the time that passed, less when the signal aborts or the clock stops. */
  async pass(ms: number, signal?: AbortSignal): Promise<number> {
    if (this.#stopped || signal?.aborted) return 0;
    const passedMs = this.#speed === "instant" || ms <= 0 ? ms : await this.#wait(ms, this.#speed, signal);
    this.#nowMs += passedMs;
    return passedMs;
  }

  /** Stops the clock when the call is over: all waits end, and no more time passes. */
  stop(): void {
    this.#stopped = true;
    for (const wake of this.#waiting) wake();
  }

  #wait(ms: number, speed: number, signal?: AbortSignal): Promise<number> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(ms), ms / speed);
      const cut = (): void => done(Math.min(ms, Math.round((performance.now() - startedAt) * speed)));
      const done = (passedMs: number): void => {
        clearTimeout(timer);
        this.#waiting.delete(cut);
        signal?.removeEventListener("abort", cut);
        resolve(passedMs);
      };
      this.#waiting.add(cut);
      signal?.addEventListener("abort", cut, { once: true });
    });
  }
}
