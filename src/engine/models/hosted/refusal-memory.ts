const KEPT_MS = 60 * 60_000;
const MAX_ENTRIES = 2_000;

/** Remembers for an hour what model servers have refused, so that each fails once and not at every turn. */
export class RefusalMemory {
  readonly #untilMs = new Map<string, number>();

  /** Records something that `server` refused. */
  note(server: string, refused: string): void {
    const key = `${server} ${refused}`;
    this.#untilMs.delete(key);
    this.#untilMs.set(key, performance.now() + KEPT_MS);
    if (this.#untilMs.size > MAX_ENTRIES) this.#untilMs.delete(this.#untilMs.keys().next().value as string);
  }

  /** True when `server` refused it within the hour. */
  has(server: string, refused: string): boolean {
    return (this.#untilMs.get(`${server} ${refused}`) ?? 0) > performance.now();
  }
}
