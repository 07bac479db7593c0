import type * as Undici from "undici";

let loaded: Promise<typeof Undici> | undefined;

/**
 * Loads undici, which sends requests to others: a tenth of a start, in which none is sent. A server loads it once it is
 * ready, so that no request waits for that.
 */
export function loadOutboundClient(): Promise<typeof Undici> {
  return (loaded ??= import("undici"));
}
