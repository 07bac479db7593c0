import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { bundleServer, runFolder } from "./server-bundle.ts";
import { programEnvironment } from "./test-environment.ts";

const START_MS = 60_000;
/** Runs a bundle as the launcher does, with what an earlier start compiled, also if that one was killed. */
const ENTER = join(import.meta.dirname, "../../bin/enter.js");

/** Differences of a server from one of this checkout on this machine. */
interface Elsewhere {
  /** Address on which it listens. */
  url?: string;
  /** Command that enters the machine that it runs on. */
  enter?: readonly string[];
  /** Main file of another version. */
  main?: string;
}

/** A server in a process of its own, which may be killed at any moment and started again. */
export class ServerProcess {
  readonly url: string;
  /** Environment of its next start. */
  readonly env: Record<string, string>;
  readonly #args: string[];
  readonly #elsewhere: Elsewhere;
  readonly dataDir: string;
  readonly #logPath: string;
  readonly #log: number;
  #child: ChildProcess | undefined;
  /** The last answer of /ready. */
  #answer = "nothing";
  #gone: Promise<number | null> = Promise.resolve(null);

  private constructor(url: string, dataDir: string, env: Record<string, string>, args: string[], elsewhere: Elsewhere) {
    this.url = url;
    this.#elsewhere = elsewhere;
    this.dataDir = dataDir;
    const port = new URL(url).port;
    this.env = { PORT: port, DATA_DIR: dataDir, PARLEY_SECRET: "a secret that all nodes share", ...env };
    this.#args = args;
    this.#logPath = join(dataDir, "server.log");
    this.#log = openSync(this.#logPath, "a");
  }

  static async create(
    env: Record<string, string>,
    args: string[] = [],
    elsewhere: Elsewhere = {},
  ): Promise<ServerProcess> {
    const url = elsewhere.url ?? `http://127.0.0.1:${await freePort()}`;
    const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), "parley-node-"));
    mkdirSync(dataDir, { recursive: true });
    return new ServerProcess(url, dataDir, env, args, elsewhere);
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    const { main = await bundleServer(), enter = [] } = this.#elsewhere;
    const said = readFileSync(this.#logPath).length;
    const compiled = join(runFolder(), "compiled");
    const [program = "", ...args] = [...enter, process.execPath, ENTER, main, compiled, "serve", ...this.#args];
    const child = spawn(program, args, {
      // Without PATH no program of speech is looked for, which a start would try.
      env: programEnvironment({ PATH: "", NODE_COMPILE_CACHE: compiled, ...this.env }),
      stdio: ["ignore", this.#log, this.#log],
    });
    this.#child = child;
    this.#gone = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw this.#fault(`ended while it started (${child.exitCode}, ${child.signalCode})`);
      // Asked once it says so itself: a hundred questions before it listens cost as much as a part of its start.
      if (readFileSync(this.#logPath).includes("is ready", said) && (await this.#isReady())) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw this.#fault(`did not get ready; /ready answered ${this.#answer}`);
  }

  async #isReady(): Promise<boolean> {
    try {
      const reply = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(5_000) });
      this.#answer = `${reply.status}: ${await reply.text()}`;
      return reply.status === 200;
    } catch (error) {
      this.#answer = String(error);
      return false;
    }
  }

  #fault(what: string): Error {
    return new Error(`The server ${what}. The end of its log:\n${readFileSync(this.#logPath, "utf8").slice(-4_000)}`);
  }

  /** SIGKILL, now; or another signal. */
  kill(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM" = "SIGKILL"): void {
    this.#child?.kill(signal);
  }

  /** Resolves when the process is gone, with its exit code; null after a signal. */
  get gone(): Promise<number | null> {
    return this.#gone;
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    this.#child?.kill("SIGTERM");
    await this.#gone;
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** An operator command. */
  operator(command: string, body: object): Promise<Record<string, unknown>> {
    const { socket } = JSON.parse(readFileSync(join(this.dataDir, "server.json"), "utf8")) as { socket: string };
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: socket, path: `/${command}`, method: "POST" }, (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        reply.on("end", () => resolve(JSON.parse(text) as Record<string, unknown>));
      });
      call.on("error", reject);
      call.end(JSON.stringify(body));
    });
  }
}
