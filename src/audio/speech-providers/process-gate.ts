import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";

/** Limits the number of programs that run at a time; further work waits, and is refused when too many wait. */
export class ProcessGate {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the work in its turn. Rejects with a SpeechError BUSY when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#queue();
    else this.#running++;
    try {
      return await work();
    } finally {
      // The slot passes to the next waiter directly, so that new work cannot take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #queue(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      return Promise.reject(new SpeechError("BUSY", "Too many texts wait for the local engine."));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
