import type { IncomingMessage } from "node:http";
import { AppError } from "#src/platform/kernel/errors.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** A body up to this size is counted against a separate budget, which large bodies cannot use up. */
const SMALL_BYTES = 64 * KIB;

/** The most bytes in use. */
export interface Limits {
  /** By all callers together. */
  total: number;
  /** By one caller, so that it leaves room for the others. */
  caller: number;
}

/** Budgets of bodies that are read whole, which cost about six times their bytes while they are processed. */
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

  /** Takes so many bytes. Returns false, and takes none, when that would be too many. */
  take(caller: string, bytes: number): boolean {
    const own = (this.#ofCallers.get(caller) ?? 0) + bytes;
    if (own > this.#limits.caller || this.#used + bytes > this.#limits.total) return false;
    this.#ofCallers.set(caller, own);
    this.#used += bytes;
    return true;
  }

  /** Gives bytes back. */
  give(caller: string, bytes: number): void {
    const own = (this.#ofCallers.get(caller) ?? 0) - bytes;
    if (own > 0) this.#ofCallers.set(caller, own);
    else this.#ofCallers.delete(caller);
    this.#used -= bytes;
  }
}

/**
 * Bounds the memory that request bodies take at once: a body that does not fit is answered 503 with Retry-After before
 * it is read. A body counts from its first byte until its request is answered.
 */
export class BodyBudget {
  readonly #small = new Budget(SMALL);
  readonly #large = new Budget(LARGE);
  readonly #open = new WeakMap<IncomingMessage, (bytes: number) => void>();

  /**
   * Begins to count the body of a request of `caller`. Returns the function that ends it, to be called once the reply
   * is sent.
   */
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

  /**
   * Counts bytes of a body before they are kept. Throws UNAVAILABLE when they do not fit. A message that was not opened
   * costs nothing.
   */
  take(message: IncomingMessage, bytes: number): void {
    this.#open.get(message)?.(bytes);
  }
}

/** The budget of this process, which bounds its memory. */
export const bodyBudget = new BodyBudget();

function tooBusy(): AppError {
  return new AppError("UNAVAILABLE", "Too many large requests are being worked on. Try again in a moment.");
}
