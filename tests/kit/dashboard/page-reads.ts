import type { Page, Request } from "playwright-core";

const DEADLINE_MS = 30_000;
/** What a page does with an answer, up to the next request that it leads to, is done two frames later. */
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";
const IS_LOADING = `document.querySelector('[aria-busy="true"], .mantine-Loader-root') !== null`;

/** What a page asks the server for, so that a test can wait until it has all of it. */
export class PageReads {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  #begun = 0;

  /** Of a page that has not begun to load. */
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

  /**
   * Waits until everything that was asked for is there and shown: no answer is waited for, and none of those that came
   * led to another request. A part that shows nothing while it reads is waited for like one that says so.
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
