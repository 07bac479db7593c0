import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";

const KEPT_MS = 60 * 60_000;
const MAX_ENTRIES = 2_000;

/** Remembers for an hour what model servers have refused, so that each fails once and not at every turn. */
export class RefusalMemory {
  readonly #untilMs = new BoundedMap<string, number>(MAX_ENTRIES);

  /** Records something that `server` refused. */
  note(server: string, refused: string): void {
    this.#untilMs.set(`${server} ${refused}`, performance.now() + KEPT_MS);
  }

  /** True when `server` refused it within the hour. */
  has(server: string, refused: string): boolean {
    return (this.#untilMs.get(`${server} ${refused}`) ?? 0) > performance.now();
  }
}
