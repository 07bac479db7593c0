import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";

/** Most ids kept: more calls than any node carries in the hours that a call may last. */
const MOST_IDS = 20_000;

/** Ids of a carrier's calls that are known to be over, or whose end was ordered. The oldest are dropped first. */
export class EndedCalls {
  readonly #ids = new BoundedMap<string, true>(MOST_IDS);

  add(providerCallId: string): void {
    this.#ids.set(providerCallId, true);
  }

  has(providerCallId: string): boolean {
    return this.#ids.has(providerCallId);
  }
}
