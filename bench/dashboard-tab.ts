import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { CHROMIUM } from "../tests/browser.ts";

/** What happened in the tab between an action and the picture that shows its result. */
export interface Step {
  /** From the input, or the start of the navigation, to the frame with the result. */
  ms: number;
  /** Tasks that kept the tab from answering for more than 100 ms. */
  longTasks: number[];
  requests: { path: string; ms: number; bytes: number }[];
}

/** Runs in the page before its scripts: keeps the moment of the last input, and the tasks that took long. */
const WATCH = `
  globalThis.benchTasks = [];
  globalThis.benchInputMs = 0;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) if (task.duration > 100) benchTasks.push(Math.round(task.duration));
  }).observe({ type: "longtask", buffered: true });
  for (const type of ["pointerup", "keydown", "input", "popstate"])
    addEventListener(type, () => { globalThis.benchInputMs = performance.now(); }, true);
`;

const untilShown = (done: string) => `new Promise((resolve) => {
  const startedMs = performance.now();
  const look = () => {
    if (${done}) return requestAnimationFrame(() => resolve(performance.now()));
    if (performance.now() - startedMs > 60000) return resolve(-1);
    requestAnimationFrame(look);
  };
  look();
})`;

/** A tab of a headless Chromium in which somebody is signed in. */
export class BenchTab implements AsyncDisposable {
  readonly page: Page;
  readonly #browser: Browser;
  #requests: Step["requests"] = [];
  #scriptBytes = 0;
  #pending: Promise<void>[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
    page.on("requestfinished", (request) => void this.#pending.push(this.#keep(request)));
  }

  static async open(url: string, cookie: { name: string; value: string }): Promise<BenchTab> {
    const browser = await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"],
    });
    const context: BrowserContext = await browser.newContext({ viewport: { width: 1_360, height: 850 } });
    await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(WATCH);
    return new BenchTab(browser, page);
  }

  async #keep(request: Request): Promise<void> {
    const path = request.url().replace(/^https?:\/\/[^/]+/, "");
    const sizes = await request.sizes().catch(() => undefined);
    const bytes = (sizes?.responseBodySize ?? 0) + (sizes?.responseHeadersSize ?? 0);
    if (/\.(js|css)$/.test(path)) this.#scriptBytes += bytes;
    const { requestStart, responseEnd } = request.timing();
    if (path.includes("/api/")) this.#requests.push({ path, ms: responseEnd - requestStart, bytes });
  }

  /** Bytes of scripts and styles that came over the wire since the last question. */
  async takeScriptBytes(): Promise<number> {
    await Promise.all(this.#pending);
    const bytes = this.#scriptBytes;
    this.#scriptBytes = 0;
    return bytes;
  }

  /** Loads an address; time from the start of the navigation until the expression holds and is painted. */
  async load(url: string, done: string): Promise<Step> {
    this.#begin();
    await this.page.goto(url, { waitUntil: "commit" });
    return this.#end(await this.page.evaluate<number>(untilShown(done)), 0);
  }

  /** Does something in the page; time from its last input until the expression holds and is painted. */
  async act(action: () => Promise<unknown>, done: string): Promise<Step> {
    this.#begin();
    await this.page.evaluate("void (benchTasks.length = 0)");
    const before = JSON.stringify(await this.page.evaluate<string>("location.href"));
    await action();
    const shownMs = await this.page.evaluate<number>(untilShown(`location.href !== ${before} && (${done})`));
    return this.#end(shownMs, await this.page.evaluate<number>("benchInputMs"));
  }

  /** Megabytes of the page's heap after a collection. */
  async heapMb(): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize / 1_024 ** 2;
  }

  #begin(): void {
    this.#requests = [];
    this.#pending = [];
  }

  async #end(shownMs: number, sinceMs: number): Promise<Step> {
    if (shownMs < 0) throw new Error(`${this.page.url()} showed nothing within a minute.`);
    // Tasks are told of a moment after their end.
    await this.page.evaluate("new Promise((resolve) => setTimeout(resolve, 150))");
    const longTasks = await this.page.evaluate<number[]>("benchTasks.slice()");
    await Promise.all(this.#pending);
    return { ms: shownMs - sinceMs, longTasks, requests: this.#requests };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
