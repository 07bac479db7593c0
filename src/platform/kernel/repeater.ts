import { Notifier } from "./async.ts";

/**
 * Runs a job repeatedly in one process, with a pause after each run. Runs never overlap, however long they take: a
 * timer that starts the next run regardless piles up work on a database that is slow already.
 */
export class Repeater {
  readonly #everyMs: number;
  readonly #run: (signal: AbortSignal) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #notifier = new Notifier();
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;

  /**
   * `everyMs` is the pause between the end of a run and the next. `onError` is called when a run fails; the next run
   * follows all the same.
   */
  constructor(everyMs: number, run: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#run = run;
    this.#onError = onError;
  }

  /** Begins with a pause, then the first run. */
  start(): void {
    this.#loop ??= this.#repeat();
  }

  /** Aborts the signal of the current run, waits for its end, and starts no more. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("shutting down"));
    this.#notifier.notify();
    await this.#loop;
  }

  async #repeat(): Promise<void> {
    for (;;) {
      await this.#notifier.wait(this.#everyMs);
      if (this.#stop.signal.aborted) return;
      try {
        await this.#run(this.#stop.signal);
      } catch (error) {
        if (!this.#stop.signal.aborted) this.#onError(error);
      }
    }
  }
}
