import type { Admission } from "#src/platform/http/admission.ts";

/** Longest time for which a refusal is repeated: so late may a larger limit be noticed. */
const LONGEST_MS = 250;
const MAX_KEPT = 10_000;

interface Empty {
  admission: Admission;
  /** By the monotonic clock, in milliseconds. */
  since: number;
  until: number;
}

/**
 * The buckets that had no token when they were last read. Other nodes can only take more from them, so until the next
 * token is due a request is refused without a statement: a client that asks on and on costs the database nothing.
 */
export class EmptyBuckets {
  readonly #empty = new Map<string, Empty>();

  /** Returns the refusal of a bucket that is still empty, with the times as they are now. */
  find(key: string): Admission | undefined {
    const empty = this.#empty.get(key);
    if (!empty) return undefined;
    const now = performance.now();
    if (now >= empty.until) {
      this.#empty.delete(key);
      return undefined;
    }
    const { admission, since } = empty;
    const passed = (now - since) / 1_000;
    return {
      ...admission,
      resetSeconds: Math.max(0, admission.resetSeconds - passed),
      nextTokenSeconds: Math.max(0, admission.nextTokenSeconds - passed),
    };
  }

  /** Keeps a refusal. `since` is a time before the bucket was read, so that the next token is never overlooked. */
  keep(key: string, admission: Admission, since: number): void {
    if (admission.allowed) return;
    if (this.#empty.size >= MAX_KEPT) this.#empty.clear();
    const waitMs = Math.min(LONGEST_MS, admission.nextTokenSeconds * 1_000);
    this.#empty.set(key, { admission, since, until: since + waitMs });
  }
}
