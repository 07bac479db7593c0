import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const PROGRAM = "pgbouncer";
// Debian puts it where ordinary users do not look.
const PATH = `${process.env.PATH ?? ""}:/usr/sbin`;

/** True where PgBouncer is installed. */
export const hasPgBouncer = spawnSync(PROGRAM, ["--version"], { env: { PATH } }).status === 0;

/** A PgBouncer in front of the tests' PostgreSQL. */
export class Pooler implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #folder: string;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.#port = port;
    this.#folder = folder;
  }

  /** Starts one with `poolSize` connections to the server, fewer than a process of ours asks it for. */
  static async start(mode: "transaction" | "session", poolSize: number): Promise<Pooler> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "parley-pooler-"));
    chmodSync(folder, 0o755);
    const server = new URL(process.env.PARLEY_TEST_SERVER ?? "");
    const target = [
      `host=${server.searchParams.get("host") ?? server.hostname}`,
      `port=${(server.searchParams.get("port") ?? server.port) || 5432}`,
      `user=${decodeURIComponent(server.username)}`,
      ...(server.password ? [`password=${decodeURIComponent(server.password)}`] : []),
    ];
    const config = join(folder, "pgbouncer.ini");
    writeFileSync(
      config,
      [
        "[databases]",
        `* = ${target.join(" ")}`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = any",
        `pool_mode = ${mode}`,
        `default_pool_size = ${poolSize}`,
        "max_client_conn = 200",
      ].join("\n"),
      { mode: 0o644 },
    );
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const child = spawn(PROGRAM, ["-q", ...user, config], { env: { PATH }, stdio: ["ignore", "ignore", "inherit"] });
    const pooler = new Pooler(child, port, folder);
    await pooler.#untilItListens();
    return pooler;
  }

  /** The database at `url`, through the pooler. */
  urlOf(url: string): string {
    const { username, pathname } = new URL(url);
    return `postgres://${username}@127.0.0.1:${this.#port}${pathname}`;
  }

  async #untilItListens(): Promise<void> {
    for (let tries = 0; tries < 500; tries++) {
      if (this.#child.exitCode !== null) throw new Error(`pgbouncer ended with ${this.#child.exitCode}`);
      const listens = await new Promise<boolean>((resolve) => {
        const socket = connect(this.#port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
        socket.once("connect", () => socket.destroy());
      });
      if (listens) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("pgbouncer does not listen");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#child.exitCode === null && this.#child.kill("SIGTERM")) await gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
