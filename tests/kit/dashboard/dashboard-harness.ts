import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page, type Response } from "playwright-core";
import { CHROMIUM } from "../browser.ts";
import { PASSWORD, setUpOwner, type Tab, tokenOf } from "../console-harness.ts";
import { World, type WorldOptions } from "../world.ts";
import { PageReads } from "./page-reads.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Folder for pictures of the screens; none are taken without it. */
const PICTURES = process.env.DASHBOARD_PICTURES;

export const DESKTOP = { width: 1360, height: 850 };
export const PHONE = { width: 390, height: 844 };
/** Nothing is animated: axe would judge the colours of a dialog that is half visible. */
const PERSON = { viewport: DESKTOP, locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" } as const;

/** Long enough for a busy machine that stalls for seconds. */
const DEADLINE_MS = 30_000;

/** Shows a list that waits for its next page at its full colours: axe would judge those that it has meanwhile. */
const UNDIM = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[aria-busy="true"] { opacity: 1 !important; }');
  document.adoptedStyleSheets = [sheet];
})();`;

/** Keeps the words of every toast: one that closes by itself may be gone before a busy machine looks for it. */
const KEEP_TOASTS = `(() => {
  const TOAST = ".mantine-Notification-root";
  globalThis.toasts = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const one of node.matches(TOAST) ? [node] : node.querySelectorAll(TOAST)) toasts.push(one.textContent);
      }
  }).observe(document, { subtree: true, childList: true });
})()`;

let opened: Promise<Browser> | undefined;

/** Returns the one browser for all files of a worker, which ends with it; each dashboard has a context of its own. */
function openBrowser(): Promise<Browser> {
  return (opened ??= chromium.launch({
    executablePath: CHROMIUM as string,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--force-color-profile=srgb",
      // A microphone that plays a tone, with permission already granted.
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
    ],
  }));
}

/** A running server. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** A server and a browser on its dashboard; console errors and requests to other hosts are kept. */
export class Dashboard<W extends Served = World> implements AsyncDisposable {
  readonly world: W;
  readonly page: Page;
  /** Errors of the console, uncaught ones, and requests to any other host. */
  readonly faults: string[] = [];
  owner!: Tab;
  readonly context: BrowserContext;
  readonly #seats: BrowserContext[] = [];
  readonly #reads: PageReads;
  /** False as long as the page does not know who signed in. */
  #isSignedIn = false;

  private constructor(world: W, context: BrowserContext, page: Page) {
    this.world = world;
    this.context = context;
    this.page = page;
    this.#reads = new PageReads(page);
    page.setDefaultTimeout(DEADLINE_MS);
    this.listen(page);
  }

  /** Builds the pages from the current sources, as `npm start` does. */
  static async build(): Promise<void> {
    const builder = new URL("../../../bin/dashboard.js", import.meta.url).href;
    const { buildDashboard } = (await import(builder)) as { buildDashboard: (node: string) => Promise<boolean> };
    if (!(await buildDashboard(process.execPath))) throw new Error("The dashboard was not built.");
  }

  static async start(options: WorldOptions = {}): Promise<Dashboard> {
    await Dashboard.build();
    return Dashboard.openOf(await World.start(options));
  }

  /** Opens a browser on a server that was started otherwise. */
  static async openOf<W extends Served>(world: W): Promise<Dashboard<W>> {
    const browser = await openBrowser();
    const context = await browser.newContext(PERSON);
    await context.addInitScript(KEEP_TOASTS);
    await context.addInitScript(UNDIM);
    return new Dashboard(world, context, await context.newPage());
  }

  /** Opens a page for another person, who shares only the server with the others. */
  async openSeat({ cookie = "" }: Tab): Promise<Page> {
    const context = await (await openBrowser()).newContext(PERSON);
    this.#seats.push(context);
    await context.addCookies([readCookie(cookie, this.world.url)]);
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    this.listen(page);
    return page;
  }

  /** Starts a server with an owner, who is signed in. */
  static async startSignedIn(options: WorldOptions = {}): Promise<Dashboard> {
    const dashboard = await Dashboard.start(options);
    dashboard.owner = await setUpOwner(dashboard.world);
    await dashboard.signInAs(dashboard.owner);
    return dashboard;
  }

  async signInAs({ cookie = "" }: Tab): Promise<void> {
    await this.context.addCookies([readCookie(cookie, this.world.url)]);
    this.#isSignedIn = false;
  }

  /** Records the page's errors and its requests to other hosts. */
  listen(page: Page): void {
    page.on("console", (message) => {
      // The script that keeps toasts is injected into every frame, also into those where no script may run.
      if (/Blocked script execution in 'about:srcdoc'/.test(message.text())) return;
      if (message.type() === "error") this.faults.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on("response", (response) => void this.#watchWarnings(response));
    page.on("pageerror", (error) => this.faults.push(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && !url.startsWith(`${this.world.url}/`)) this.faults.push(`foreign: ${url}`);
    });
  }

  /**
   * Records warnings about ineffective members: a form must not send them, because people cannot do anything about
   * them.
   */
  async #watchWarnings(response: Response): Promise<void> {
    if (response.request().method() === "GET" || !response.ok()) return;
    const body = (await response.json().catch(() => null)) as { warnings?: { member?: unknown }[] } | null;
    const members = Array.isArray(body?.warnings)
      ? body.warnings.flatMap(({ member }) => (typeof member === "string" ? member : []))
      : [];
    if (members.length > 0) this.faults.push(`warned: ${members.join(", ")} of ${response.url()}`);
  }

  /** Removes faults that a test caused on purpose. */
  forgive(expected: RegExp): void {
    this.faults.splice(0, Infinity, ...this.faults.filter((fault) => !expected.test(fault)));
  }

  /** Returns a one-time link for the set-up. */
  async setupLink(this: Dashboard): Promise<string> {
    return tokenOf(await this.world.operator("setup-link", {}));
  }

  /**
   * Opens a screen of a workspace, the sample one when none is named: as a link does where another screen of it is shown,
   * which costs the browser a quarter. What was read before may then be shown again: use `load` after a change that the
   * page does not know of.
   */
  async open(this: Dashboard, path: string, workspaceId = this.world.sample.workspaceId): Promise<void> {
    const home = `${this.world.url}/w/${workspaceId}`;
    const shown = this.page.url();
    const isNear = shown.startsWith(`${home}/`) && shown !== `${home}${path}` && this.#isSignedIn;
    if (!isNear || (await this.page.locator("h1").count()) === 0) return this.load(path, workspaceId);
    // A tooltip stays open as long as the pointer is on its control.
    await this.page.mouse.move(0, 0);
    this.#reads.forget();
    await this.go(path, workspaceId);
    await this.#reads.settle();
  }

  /** Goes to another screen as a link does, and waits for none of its requests: a test may hold them back. */
  async go(this: Dashboard, path: string, workspaceId = this.world.sample.workspaceId): Promise<void> {
    const url = `${this.world.url}/w/${workspaceId}${path}`;
    await this.page.evaluate(`history.pushState(null, "", ${JSON.stringify(url)})`);
    await this.page.locator("h1").first().waitFor();
    await this.settle();
  }

  /** Loads the page of a screen anew, as a person who types its address or reloads it. */
  async load(this: Dashboard, path: string, workspaceId = this.world.sample.workspaceId): Promise<void> {
    await this.page.goto(`${this.world.url}/w/${workspaceId}${path}`);
    await this.page.locator("h1").first().waitFor();
    await this.settle();
    this.#isSignedIn = true;
  }

  /** Waits until nothing is loading any more. */
  async settle(): Promise<void> {
    await this.#until(`document.querySelector('[aria-busy="true"], .mantine-Loader-root') === null`);
  }

  /** Waits for a toast with this text; each toast is found once. */
  async heard(text: string): Promise<void> {
    const at = `globalThis.toasts.findIndex((one) => one.includes(${JSON.stringify(text)}))`;
    await this.#until(`${at} >= 0`);
    await this.page.evaluate(`globalThis.toasts.splice(${at}, 1)`);
  }

  /**
   * Makes the page's timers of this length ten times as long, so that the test decides how long a person thinks, not
   * the machine.
   */
  async stretchTimers(ms: number): Promise<void> {
    await this.page.evaluate(`(() => {
      const set = globalThis.setTimeout;
      globalThis.setTimeout = (run, ms, ...rest) => set(run, ms === ${ms} ? ${10 * ms} : ms, ...rest);
    })()`);
  }

  /** Polls from outside: the page's own rules forbid it to evaluate text. */
  async #until(expression: string): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    while (!(await this.page.evaluate<boolean>(expression))) {
      if (performance.now() > deadline) throw new Error(`${expression} did not become true.`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** Returns axe's results for the page: one line for each fault and element. */
  async axe(only?: string): Promise<string[]> {
    // A tooltip whose control the pointer has just left is still closing, and a dialog that opens gets its name last.
    const unfinished = '[role="tooltip"], [role="dialog"]:not([aria-labelledby], [aria-label])';
    await this.#until(`document.querySelector('${unfinished}') === null`);
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(AXE);
    const runOnly = only === undefined ? { type: "tag", values: WCAG } : [only];
    // Style sheets are loaded for an experimental rule only, which is not among these: a third of axe's time.
    const options = JSON.stringify({ runOnly, resultTypes: ["violations"], selectors: false, preload: false });
    // Nobody reaches what is behind a dialog, and which of it is half covered depends on how far the page is scrolled.
    const inView = `document.querySelector('[aria-modal="true"]') ?? document`;
    const { violations } = await this.page.evaluate<Pick<axe.AxeResults, "violations">>(
      `axe.run(${inView}, ${options})`,
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split("\n").at(1)?.trim()}`,
      ),
    );
  }

  /** Runs axe in light and dark, with pictures of both and of the phone when pictures are wanted. */
  async inspect(name: string): Promise<string[]> {
    const found: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await this.#until(`document.documentElement.dataset.mantineColorScheme === "${scheme}"`);
      await this.picture(`${name}-${scheme}`);
      // Dark mode differs in colours only.
      const only = scheme === "dark" ? "color-contrast" : undefined;
      found.push(...(await this.axe(only)).map((line) => `${name} (${scheme}) ${line}`));
    }
    await this.page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await this.page.setViewportSize(PHONE);
    await this.picture(`${name}-phone`);
    found.push(...(await this.#wider(name)));
    await this.page.setViewportSize(DESKTOP);
    return found;
  }

  /** Checks that a phone's screen does not scroll sideways. */
  async #wider(name: string): Promise<string[]> {
    const width = await this.page.evaluate<number>("document.documentElement.scrollWidth");
    return width > PHONE.width ? [`${name} (phone) is ${width} px wide`] : [];
  }

  async picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    if (!existsSync(PICTURES)) mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A request that a test held back is no fault any more.
    await this.page.unrouteAll({ behavior: "ignoreErrors" });
    for (const context of [this.context, ...this.#seats]) await context.close();
    await this.world[Symbol.asyncDispose]();
  }
}

function readCookie(cookie: string, url: string): { name: string; value: string; url: string } {
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  return { name, value, url };
}

export { PASSWORD };
