import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../tests/kit/free-port.ts";

const READY_MS = 120_000;

/** A server under its launcher, as `npm start` runs it, so that the launcher restarts a killed process. */
export class SupervisedServer {
  readonly url: string;
  readonly dataDir: string;
  /** Output of the server and its launcher. */
  output = "";
  readonly #launcher: ChildProcess;

  private constructor(port: number, dataDir: string, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.dataDir = dataDir;
    const { DATABASE_URL: _, ...own } = process.env;
    this.#launcher = spawn(process.execPath, ["bin/run.js", "serve"], {
      env: { ...own, NODE_OPTIONS: "", DRAIN_SECONDS: "0", PORT: String(port), DATA_DIR: dataDir, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const take = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.#launcher.stdout?.on("data", take);
    this.#launcher.stderr?.on("data", take);
  }

  /** Starts a server and waits until it is ready. */
  static async start(env: Record<string, string>): Promise<SupervisedServer> {
    const dataDir = mkdtempSync(join(tmpdir(), "parley-kills-"));
    // Started as root, PostgreSQL runs as nobody, who must be able to enter the folder.
    chmodSync(dataDir, 0o711);
    const server = new SupervisedServer(await freePort(), dataDir, env);
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline;) {
      const reply = await fetch(`${server.url}/ready`).catch(() => undefined);
      if (reply?.status === 200) return server;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await server.stop();
    throw new Error(`The server did not get ready:\n${server.output.slice(-4_000)}`);
  }

  /** The process that serves, behind the launcher. */
  get serverPid(): number {
    return (JSON.parse(readFileSync(join(this.dataDir, "server.json"), "utf8")) as { pid: number }).pid;
  }

  /** The postmaster of its embedded database. */
  get postmasterPid(): number {
    return Number(readFileSync(join(this.dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
  }

  /** Runs an operator command. */
  operator(command: string, body: object): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const call = request(
        { socketPath: join(this.dataDir, "operator.sock"), path: `/${command}`, method: "POST" },
        (reply) => {
          let text = "";
          reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          reply.on("end", () => resolve(JSON.parse(text) as Record<string, unknown>));
        },
      );
      call.on("error", reject);
      call.end(JSON.stringify(body));
    });
  }

  /** Stops the server gracefully, and removes its data. */
  async stop(): Promise<void> {
    if (this.#launcher.exitCode === null && this.#launcher.signalCode === null) {
      const gone = new Promise((resolve) => this.#launcher.once("exit", resolve));
      this.#launcher.kill("SIGTERM");
      await gone;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
