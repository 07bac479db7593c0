import type { Page, Request } from "playwright-core";

const DEADLINE_MS = 30_000;
/** Two frames, in which a page handles an answer, up to the next request that it causes. */
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";
const IS_LOADING = `document.querySelector('[aria-busy="true"], .mantine-Loader-root') !== null`;

/** Requests of a page, so that a test can wait until all of them are answered. */
export class PageReads {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  #begun = 0;

  /** Takes a page that has not begun to load. */
  constructor(page: Page) {
    this.#page = page;
    page.on("request", (request) => {
      // The stream of live events never ends.
      if (/\/events(\?|$)/.test(request.url())) return;
      this.#begun++;
      this.#open.add(request);
    });
    page.on("requestfinished", (request) => this.#open.delete(request));
    page.on("requestfailed", (request) => this.#open.delete(request));
  }

  /** Leaves out of account what is still to be answered. */
  forget(): void {
    this.#open.clear();
  }

  /**
   * Waits until everything requested is there and shown: no answer is pending, and no answer has led to another
   * request. This also covers a part that shows nothing while it loads.
   */
  async settle(): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const before = this.#begun;
      await this.#page.evaluate(TWO_FRAMES);
      const isQuiet = this.#open.size === 0 && !(await this.#page.evaluate<boolean>(IS_LOADING));
      if (isQuiet && this.#open.size === 0 && this.#begun === before) return;
      if (performance.now() > deadline) {
        throw new Error(`Still loading: ${[...this.#open].map((request) => request.url()).join(", ")}`);
      }
    }
  }
}
