/** Milliseconds that long work may block the page at once. */
const MOST_MS = 12;

/** Splits long work so that the page can draw and react in between: `if (breather.isDue) await breather.rest()`. */
export class Breather {
  #begunMs = performance.now();

  /** True when the work should pause. */
  get isDue(): boolean {
    return performance.now() - this.#begunMs > MOST_MS;
  }

  /** Lets the page run its pending work. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#begunMs = performance.now();
  }
}
