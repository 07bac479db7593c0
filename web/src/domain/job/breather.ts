/** As long as long work may hold the page up at once. */
const MOST_MS = 12;

/** Cuts long work into pieces between which the page can draw and listen: `if (breather.isDue) await breather.rest()`. */
export class Breather {
  #begunMs = performance.now();

  /** True when the work has gone on long enough. */
  get isDue(): boolean {
    return performance.now() - this.#begunMs > MOST_MS;
  }

  /** Lets the page do what waits. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#begunMs = performance.now();
  }
}
