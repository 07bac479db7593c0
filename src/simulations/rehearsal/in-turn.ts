import { AppError } from "#src/kernel/errors.ts";

/** Each of them may take seconds of the processor and some hundred megabytes. */
const MAX_AT_HAND = 10;
/** Nobody holds a request open for longer before it has begun. */
const MAX_WAIT_MS = 10_000;

/** Has pieces of work done one after the other. */
export class InTurn {
  readonly #maxWaitMs: number;
  #atHand = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Does a piece of work when those before it are over; 429 when too many wait, or when its turn does not come soon. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#atHand >= MAX_AT_HAND) throw tooMany();
    this.#atHand++;
    const turn = Promise.withResolvers<void>();
    const timer = setTimeout(() => turn.reject(tooMany()), this.#maxWaitMs);
    const done = this.#last.then(async () => {
      turn.resolve();
      // Throws where it was given up meanwhile.
      await turn.promise;
      clearTimeout(timer);
      return work();
    });
    this.#last = done.catch(() => undefined);
    try {
      await turn.promise;
      return await done;
    } finally {
      this.#atHand--;
    }
  }
}

function tooMany(): AppError {
  return new AppError("RATE_LIMITED", "Too many rehearsals are under way. Try again in a minute.");
}
