import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";

/** Things to close, in the reverse of the order they were opened. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Adds what is to be closed before everything that was added so far. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Closes everything; what fails is logged and keeps nothing else from being closed. */
  async closeAll(log: Log): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        log.warn("Something could not be closed cleanly.", { error: toError(error).message });
      }
    }
  }
}
