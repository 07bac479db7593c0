import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { freePort } from "../free-port.ts";
import { programEnvironment } from "../test-environment.ts";

/** The service as `npm start` starts it: its launcher, and its own database in an empty folder. */
export class StartedServer implements AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Output of the server. */
  output = "";
  readonly #child: ChildProcess;

  private constructor(port: number, dataDir: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.dataDir = dataDir;
    this.#child = spawn(process.execPath, ["bin/run.js", "serve"], {
      env: programEnvironment({ PORT: String(port), DATA_DIR: dataDir }),
    });
    const take = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.#child.stdout?.on("data", take);
    this.#child.stderr?.on("data", take);
  }

  /** Starts the server and waits for its link to the first account. */
  static async start(): Promise<{ server: StartedServer; setupUrl: string }> {
    const dataDir = mkdtempSync(join(tmpdir(), "parley-first-"));
    // Started as root, PostgreSQL runs as nobody, who must be able to enter the folder.
    chmodSync(dataDir, 0o711);
    const server = new StartedServer(await freePort(), dataDir);
    for (let i = 0; i < 6_000 && server.#child.exitCode === null; i++) {
      const setupUrl = /http:\S+\/setup\/\S+/.exec(server.output)?.[0];
      if (setupUrl !== undefined) return { server, setupUrl };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await server[Symbol.asyncDispose]();
    throw new Error(`The server printed no link:\n${server.output}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      const gone = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGTERM");
      await gone;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** A terminal in an empty folder of its own, where `npx parley` is this checkout's. */
export class Terminal implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-terminal-"));
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  /** Runs shell commands to their end; their output grows in `output`. With `isTerminal`, they see a terminal. */
  run(commands: string, { isTerminal = false } = {}): { output: () => string; ended: Promise<number | null> } {
    const bin = join(process.cwd(), "bin", "parley.js");
    const npx = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }`;
    const text = `${npx}\n${isTerminal ? "stty cols 110 rows 40\n" : ""}${commands}\n`;
    const [program, args] = isTerminal ? ["script", ["-qefc", text, "/dev/null"]] : ["bash", ["-c", text]];
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: programEnvironment({ XDG_CONFIG_HOME: this.#folder, ...this.#env }),
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    // As plain text: programs on a terminal write escape sequences for colours.
    return {
      output: () => stripVTControlCharacters(output),
      ended: new Promise((resolve) => child.once("exit", resolve)),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
