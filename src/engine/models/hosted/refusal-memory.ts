import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";

const KEPT_MS = 60 * 60_000;
const MAX_ENTRIES = 2_000;

/** Remembers for an hour what model servers have refused, so that each fails once and not at every turn. */
export class RefusalMemory {
  readonly #notedAtMs = new BoundedMap<string, number>(MAX_ENTRIES);

  /** Records something that `server` refused. One that is known stays known since the first refusal. */
  note(server: string, refused: string): void {
    if (!this.has(server, refused)) this.#notedAtMs.set(`${server} ${refused}`, performance.now());
  }

  /** True when `server` had refused it within the hour before a time. */
  has(server: string, refused: string, atMs = performance.now()): boolean {
    const notedAtMs = this.#notedAtMs.get(`${server} ${refused}`);
    return notedAtMs !== undefined && notedAtMs <= atMs && atMs - notedAtMs < KEPT_MS;
  }
}
