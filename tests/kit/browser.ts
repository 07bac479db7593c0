import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The browser of this machine, if there is one. Without a window's parts it takes a third less
 * processor time; its script in /usr/bin would leave it running when it is killed.
 */
export const CHROMIUM = [
  process.env.CHROMIUM ?? "",
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => path !== "" && existsSync(path));

interface Answer {
  id?: number;
  method?: string;
  params?: unknown;
  result?: Record<string, unknown>;
}

/** A page of a headless Chromium, driven by the DevTools protocol. */
export class Browser implements AsyncDisposable {
  /** Messages that the page wrote to the console, and its failures. */
  readonly faults: string[] = [];
  readonly #process: ChildProcess;
  readonly #folder: string;
  #socket!: WebSocket;
  #count = 0;
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>();

  private constructor(folder: string, more: string[]) {
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", ...more];
    this.#folder = folder;
    this.#process = spawn(CHROMIUM as string, [...flags, `--user-data-dir=${folder}`, "about:blank"], {
      stdio: "ignore",
    });
  }

  static async open(flags: string[] = []): Promise<Browser> {
    const browser = new Browser(mkdtempSync(join(tmpdir(), "parley-browser-")), flags);
    await browser.#connect();
    for (const domain of ["Runtime", "Log", "Page"]) await browser.#send(`${domain}.enable`);
    return browser;
  }

  async #connect(): Promise<void> {
    const portFile = join(this.#folder, "DevToolsActivePort");
    // The file exists before it has content.
    const readPort = () => (existsSync(portFile) ? readFileSync(portFile, "utf8").split("\n")[0] : "");
    for (let i = 0; i < 300 && !readPort(); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    const port = readPort();
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const page = targets.find(({ type }) => type === "page");
    this.#socket = new WebSocket(page?.webSocketDebuggerUrl ?? "");
    this.#socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as Answer));
    await new Promise((resolve) => this.#socket.addEventListener("open", resolve, { once: true }));
  }

  #take({ id, method = "", params, result }: Answer): void {
    if (id !== undefined) this.#waiting.get(id)?.(result ?? {});
    else if (/consoleAPICalled|exceptionThrown|entryAdded/.test(method)) this.faults.push(JSON.stringify(params));
  }

  #send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async goTo(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
  }

  /** Returns the value of an expression in the page; undefined when it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return (result as { value?: unknown } | undefined)?.value;
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    const deadline = performance.now() + 20_000;
    while ((await this.evaluate(expression)) !== true) {
      if (performance.now() > deadline) throw new Error(`${expression} did not become true. ${this.faults.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async type(text: string): Promise<void> {
    await this.#send("Input.insertText", { text });
  }

  async press(key: "Enter" | "Escape"): Promise<void> {
    const pressed = { key, code: key, windowsVirtualKeyCode: key === "Enter" ? 13 : 27 };
    await this.#send("Input.dispatchKeyEvent", {
      type: "keyDown",
      ...pressed,
      ...(key === "Enter" ? { text: "\r" } : {}),
    });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
  }

  /** Returns a PNG of the page. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(String(data), "base64");
  }

  /** Returns role and name of everything exposed to assistive technology. */
  async accessible(): Promise<string[]> {
    const { nodes } = await this.#send("Accessibility.getFullAXTree");
    type Node = { ignored: boolean; role?: { value: string }; name?: { value: string } };
    return (nodes as Node[]).filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value} ${name?.value}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill();
    await gone;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
