import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toError } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import { callOperator } from "./operator-client.ts";
import type { System } from "./system.ts";
import { makeThrowAwayFolder, noteProcess, removeThrowAwayFolder } from "./throw-away-folder.ts";

const START_TIMEOUT_MS = 120_000;
/** Time limit for stopping. A server that is told to stop while it starts does so right after. */
const STOP_TIMEOUT_MS = 30_000;
const LOOK_MS = 50;
const LOG_CHARACTERS = 2_000;
/** Settings that would connect the server to a real one's data, address or secret. */
const FOREIGN = [
  "DATABASE_URL",
  "PARLEY_URL",
  "PARLEY_SECRET",
  "SANDBOX_CARRIER_URL",
  "RECORDINGS_DIR",
  "RECORDINGS_STORE",
  "TRUST_PROXY",
];

/** Address of a throw-away server, and a key of its sandbox workspace. */
export interface ThrowAwayServer {
  url: string;
  apiKey: string;
}

/**
 * Starts a temporary server on a free port, with a database and a sample workspace in a temporary folder, does the
 * work, and removes all of it again, whatever the result. `signal` ends the start.
 */
export async function withThrowAwayServer<T>(
  system: System,
  signal: AbortSignal,
  work: (server: ThrowAwayServer) => Promise<T>,
): Promise<T> {
  const folder = await makeThrowAwayFolder(system.env.TMPDIR || tmpdir());
  let child: ChildProcess | undefined;
  try {
    const port = await findFreePort();
    child = launch(system, folder, port);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(child, url, join(folder, "server.log"), signal);
    const { apiKey } = await callOperator<{ apiKey: string }>({ DATA_DIR: folder }, "workspace.create", {
      name: "Simulations",
      sample: true,
      sandboxSpeed: "instant",
      rateLimit: { capacity: 100_000, refill: 100_000, periodSeconds: 1 },
    });
    return await work({ url, apiKey });
  } finally {
    if (child) await stop(child);
    await removeThrowAwayFolder(folder);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Starts the server. Its IPC channel closes when this process dies, which tells the server to stop. */
function launch(system: System, folder: string, port: number): ChildProcess {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const kept = Object.entries(system.env).filter(([name]) => !FOREIGN.includes(name));
  const env = {
    ...Object.fromEntries(kept),
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
  };
  const log = openSync(join(folder, "server.log"), "a");
  const cache = join(root, "node_modules", ".cache", "compile");
  const main = join(root, "src", "main.ts");
  const args = [join(root, "bin", "enter.js"), main, cache, "serve"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", log, log, "ipc"] });
  closeSync(log);
  if (child.pid !== undefined) noteProcess(folder, child.pid);
  return child;
}

async function untilReady(child: ChildProcess, url: string, logPath: string, signal: AbortSignal): Promise<void> {
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (failure || child.exitCode !== null || child.signalCode !== null) {
      throw new CliError(EXIT.SERVER, `The server did not start. ${failure?.message ?? readEnd(logPath)}`);
    }
    const reply = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new CliError(EXIT.SERVER, `The server did not get ready. ${readEnd(logPath)}`);
}

function readEnd(logPath: string): string {
  try {
    return `The end of its log:\n${readFileSync(logPath, "utf8").trim().slice(-LOG_CHARACTERS)}`;
  } catch (error) {
    return `Its log cannot be read: ${toError(error).message}`;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}
