import { AppError } from "#src/kernel/errors.ts";

/** Each of them may take seconds of the processor and some hundred megabytes. */
const MAX_AT_HAND = 10;

/** Has pieces of work done one after the other. */
export class InTurn {
  #atHand = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Does a piece of work when those before it are over; 429 when too many wait. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#atHand >= MAX_AT_HAND)
      throw new AppError("RATE_LIMITED", "Too many rehearsals are under way. Try again in a minute.");
    this.#atHand++;
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#atHand--;
    }
  }
}
