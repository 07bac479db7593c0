import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { findEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";

/** A server in a process of its own, with a workspace whose rate limit never applies. */
export interface BenchServer {
  url: string;
  pid: number;
  apiKey: string;
  flowId: string;
  workspaceId: string;
  /** Connection settings of its database, for `pg`. */
  database: pg.ClientConfig;
  operator(command: string, body: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Starts `parley serve` with more arguments and settings if wanted, on the data folder DATA_DIR, which stays, or on an
 * empty one, which `close` removes. `launcher`: arguments before the command, such as those of `pinTo`.
 */
export async function startServer(
  port: number,
  args: string[] = [],
  env: Record<string, string> = {},
  launcher: string[] = [],
): Promise<BenchServer> {
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), "parley-bench-"));
  // The flag: bin/spawn-server.js.
  const command = ["--no-regexp-tier-up", "src/main.ts", "serve", ...args];
  const child = runProcess(command, { PORT: String(port), DATA_DIR: dataDir, ...env }, launcher);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(`${url}/ready`);
  const { socket } = JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8")) as { socket: string };
  const operator = (command: string, body: object) => ask(socket, command, body);
  const made = (await operator("workspace.create", {
    name: "Bench",
    sample: true,
    sandboxSpeed: "instant",
    rateLimit: { capacity: 1e9, refill: 1e9, periodSeconds: 1 },
  })) as { apiKey: string; workspaceId: string; flow: { id: string } };
  const database = env.DATABASE_URL ? { connectionString: env.DATABASE_URL } : findEmbeddedPostgres(dataDir);
  const { apiKey, workspaceId, flow } = made;
  return {
    url,
    pid: child.pid as number,
    apiKey,
    workspaceId,
    flowId: flow.id,
    database,
    operator,
    async close() {
      await stop(child);
      if (env.DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGTERM")));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

/** Runs a TypeScript file of this checkout. It ends with this process, also when that is told to stop. */
export function runProcess(args: string[], env: Record<string, string>, launcher: string[] = []): ChildProcess {
  const [file = "", ...rest] = [...launcher, process.execPath, ...args];
  const child = spawn(file, rest, {
    env: { ...process.env, DRAIN_SECONDS: "0", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Stops a process gracefully. */
export async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/** Waits until a URL answers 200; at most 60 s. */
export async function waitUntil(url: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer.`);
}

function ask(socketPath: string, command: string, body: object): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: `/${command}`, method: "POST" }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.on("end", () => resolve(JSON.parse(text) as Record<string, unknown>));
    });
    call.on("error", reject);
    call.end(JSON.stringify(body));
  });
}

/** Returns the CPU seconds that a process has used, from /proc; 0 where /proc is missing. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
