import type { IncomingMessage } from "node:http";
import { AppError } from "#src/platform/kernel/errors.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** What a body up to this size costs is taken from a budget that no large one can use up. */
const SMALL_BYTES = 64 * KIB;

/** How many bytes may be in use. */
export interface Limits {
  /** Of all callers together. */
  total: number;
  /** Of one of them, so that it leaves room for the others. */
  caller: number;
}

/** Bodies read whole cost some six times their bytes while they are worked on. */
const SMALL: Limits = { total: 32 * MIB, caller: 16 * MIB };
const LARGE: Limits = { total: 64 * MIB, caller: 40 * MIB };

/** Bytes in use by caller, within limits. */
export class Budget {
  readonly #limits: Limits;
  readonly #ofCallers = new Map<string, number>();
  #used = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes so many bytes; false, and nothing taken, when that would be too many. */
  take(caller: string, bytes: number): boolean {
    const own = (this.#ofCallers.get(caller) ?? 0) + bytes;
    if (own > this.#limits.caller || this.#used + bytes > this.#limits.total) return false;
    this.#ofCallers.set(caller, own);
    this.#used += bytes;
    return true;
  }

  /** Gives them back. */
  give(caller: string, bytes: number): void {
    const own = (this.#ofCallers.get(caller) ?? 0) - bytes;
    if (own > 0) this.#ofCallers.set(caller, own);
    else this.#ofCallers.delete(caller);
    this.#used -= bytes;
  }
}

/**
 * Bounds the memory that bodies of requests take at once: what does not fit is a 503 with Retry-After before it is
 * read. A body counts from its first byte until its request is answered.
 */
export class BodyBudget {
  readonly #small = new Budget(SMALL);
  readonly #large = new Budget(LARGE);
  readonly #open = new WeakMap<IncomingMessage, (bytes: number) => void>();

  /** Begins to count the body of a request of `caller`; gives what ends it, to be called once the reply is out. */
  open(message: IncomingMessage, caller: string): () => void {
    const declared = Number(message.headers["content-length"] ?? Number.POSITIVE_INFINITY);
    const budget = declared <= SMALL_BYTES ? this.#small : this.#large;
    let taken = 0;
    this.#open.set(message, (bytes) => {
      if (!budget.take(caller, bytes)) throw tooBusy();
      taken += bytes;
    });
    return () => {
      this.#open.delete(message);
      if (taken > 0) budget.give(caller, taken);
      taken = 0;
    };
  }

  /** Takes bytes of a body before they are kept. Throws UNAVAILABLE when they do not fit; a message that is not counted costs nothing. */
  take(message: IncomingMessage, bytes: number): void {
    this.#open.get(message)?.(bytes);
  }
}

/** One for the process, whose memory it is. */
export const bodyBudget = new BodyBudget();

function tooBusy(): AppError {
  return new AppError("UNAVAILABLE", "Too many large requests are being worked on. Try again in a moment.");
}
