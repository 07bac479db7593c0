import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";

/** Closes things in the reverse of the order in which they were opened. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Adds a closer, which runs before all those added earlier. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Closes everything. A failure is logged, and does not stop the rest. */
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
