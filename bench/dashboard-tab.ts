import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { CHROMIUM } from "../tests/kit/browser.ts";
import { type MainTask, readMainTasks } from "../tests/kit/dashboard/main-thread.ts";

/** Measurements of the tab between an action and the frame that shows its result. */
export interface Step {
  /** Time from the input, or the start of the navigation, to the frame with the result. */
  ms: number;
  /** Longest main-thread task by wall clock, and by CPU time, which other work of the machine does not lengthen. */
  longestTaskMs: number;
  longestTaskCpuMs: number;
  /** CPU time of all tasks together. */
  cpuMs: number;
  /** Files of the dashboard itself that were fetched or came from the browser's cache. */
  files: number;
  requests: { path: string; ms: number; bytes: number }[];
}

/** Runs in the page before its scripts: keeps the moment of the last input. */
const WATCH = `
  globalThis.benchInputMs = 0;
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
  #bytes = { js: 0, css: 0 };
  #files = 0;
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
    if (path.startsWith("/assets/")) this.#files++;
    const sizes = await request.sizes().catch(() => undefined);
    const bytes = (sizes?.responseBodySize ?? 0) + (sizes?.responseHeadersSize ?? 0);
    if (path.endsWith(".js")) this.#bytes.js += bytes;
    if (path.endsWith(".css")) this.#bytes.css += bytes;
    const { requestStart, responseEnd } = request.timing();
    if (path.includes("/api/")) this.#requests.push({ path, ms: responseEnd - requestStart, bytes });
  }

  /** Returns the bytes of scripts and styles that came over the wire since the last call. */
  async takeBytes(): Promise<{ js: number; css: number }> {
    await Promise.all(this.#pending);
    const bytes = this.#bytes;
    this.#bytes = { js: 0, css: 0 };
    return bytes;
  }

  /** Loads an address; times it from the start of the navigation until the expression holds and is painted. */
  async load(url: string, done: string): Promise<Step> {
    await this.#begin();
    await this.page.goto(url, { waitUntil: "commit" });
    return this.#end(await this.page.evaluate<number>(untilShown(done)), 0);
  }

  /** Acts on the page; times it from its last input until the expression holds and is painted. */
  async act(action: () => Promise<unknown>, done: string, { isSameAddress = false } = {}): Promise<Step> {
    await this.#begin();
    const before = JSON.stringify(await this.page.evaluate<string>("location.href"));
    await action();
    const shownMs = await this.page.evaluate<number>(
      untilShown(isSameAddress ? done : `location.href !== ${before} && (${done})`),
    );
    return this.#end(shownMs, await this.page.evaluate<number>("benchInputMs"));
  }

  /** Returns the megabytes of the page's heap after a collection. */
  async heapMb(): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize / 1_024 ** 2;
  }

  async #begin(): Promise<void> {
    this.#requests = [];
    this.#files = 0;
    this.#pending = [];
    await this.#browser.startTracing(this.page, { categories: ["toplevel", "__metadata"] });
  }

  async #end(shownMs: number, sinceMs: number): Promise<Step> {
    if (shownMs < 0) throw new Error(`${this.page.url()} showed nothing within a minute.`);
    const tasks = readMainTasks(await this.#browser.stopTracing());
    await Promise.all(this.#pending);
    return { ms: shownMs - sinceMs, ...weighTasks(tasks), files: this.#files, requests: this.#requests };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

function weighTasks(tasks: MainTask[]): Pick<Step, "longestTaskMs" | "longestTaskCpuMs" | "cpuMs"> {
  return {
    longestTaskMs: tasks.reduce((most, { clockMs }) => Math.max(most, clockMs), 0),
    longestTaskCpuMs: tasks[0]?.busyMs ?? 0,
    cpuMs: tasks.reduce((sum, { busyMs }) => sum + busyMs, 0),
  };
}
