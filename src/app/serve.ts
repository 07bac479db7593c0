import { loadScript } from "#src/engine/models/scripted/scripted-model.ts";
import { ConfigError, readConfig, ROLES, type Role } from "#src/platform/config/config.ts";
import { loadOutboundClient } from "#src/platform/http/outbound-client.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { AlreadyRunning } from "#src/surfaces/operator/socket.ts";
import type { App } from "./app.ts";
import { keepCompiled } from "./compiled-code.ts";
import { StartError } from "./database.ts";
import { openGround } from "./ground.ts";
import { freeStartupMemory } from "./startup-memory.ts";
import { renderWelcome } from "./welcome.ts";

/** Milliseconds after which a server that cannot go on exits, even when its orderly stop is not done. */
const LAST_STOP_MS = 10_000;
/** Milliseconds after a start in which its first requests are answered. */
const REST_MS = 100;
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `parley serve`: starts the roles and stays until a stop signal, or until the launcher that started it is gone. Live
 * calls may go on for DRAIN_SECONDS after the first signal; a second one ends them.
 */
export async function serve(args: string[]): Promise<void> {
  surviveClosedTerminal();
  const config = readConfig(process.env, readRoles(args));
  const log = createLog(config.logLevels);
  // Registered before anything is opened, so that a signal during the start takes effect right after it.
  const stops = countStops();
  const startedAt = performance.now();
  const ground = await openGround(config, log);
  // Loaded only now: a setting that cannot be used is named in a fraction of the time that the whole service takes, and
  // the database starts meanwhile.
  const { startApp } = await import("./app.ts");
  const app = await startApp(config, log, ground);
  process.stdout.write(renderWelcome({ ...app, dataDir: config.dataDir }, performance.now() - startedAt));
  // From now on the launcher restarts a process that dies; one that never got here is not restarted.
  process.send?.("ready");
  void loadTheRest();
  freeStartupMemory(() => app.drain.status.liveCalls > 0);
  stops.onStop((count) => (count === 1 ? drain(app) : app.drain.force()));
  // A new launcher needs the port and the folder of this process.
  if (process.connected) process.on("disconnect", () => app.drain.begin(0));
  const reason = await Promise.race([app.drain.over, app.hopeless]);
  if (reason) return endHopeless(app, reason);
  process.stdout.write("Stopping…\n");
  await app.close();
  // Nothing is left to wait for, and a handle that a library keeps open must not keep the process alive.
  process.exit(0);
}

/** Loads what the first requests do not need, and keeps what is compiled for the next start. */
async function loadTheRest(): Promise<void> {
  await sleep(REST_MS);
  // Their first use says why one fails.
  await Promise.allSettled([loadOutboundClient(), loadScript()]);
  keepCompiled();
}

/** Exits with 1, so that the supervisor of this process starts another one. */
async function endHopeless(app: App, reason: Error): Promise<never> {
  process.stderr.write(`\nParley cannot go on: ${explainStart(reason)}\n`);
  setTimeout(() => process.exit(1), LAST_STOP_MS).unref();
  await app.close();
  process.exit(1);
}

function readRoles(args: string[]): Role[] {
  const at = args.indexOf("--role");
  if (at === -1) return [...ROLES];
  const names = (args[at + 1] ?? "").split(",").filter(Boolean);
  const unknown = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (names.length === 0 || unknown) throw new ConfigError(`--role takes ${ROLES.join(", ")}, separated by commas.`);
  return names as Role[];
}

/** Begins the drain, and says to a person at the terminal what it waits for. */
function drain({ drain }: App): void {
  const { liveCalls, deadline } = drain.begin();
  if (liveCalls === 0) return;
  const calls = liveCalls === 1 ? "1 live call" : `${liveCalls} live calls`;
  process.stdout.write(`Nothing new is begun. Waiting for ${calls}, until ${deadline}. Stop again to end them now.\n`);
}

/** Stop signals of the process. */
interface Stops {
  /** Sets what is called with the number of each stop signal, from 1, those that came before included. */
  onStop(handle: (count: number) => void): void;
}

/** Counts stop signals from now on. A repeated Ctrl-C of terminal, npm and launcher counts once (bin/enter.js). */
function countStops(): Stops {
  let count = 0;
  let handle: (count: number) => void = () => undefined;
  const onSignal = (): void => handle(++count);
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return {
    onStop(given) {
      handle = given;
      for (let earlier = 1; earlier <= count; earlier++) given(earlier);
    },
  };
}

/** Resolves at the first stop signal. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => countStops().onStop(() => resolve()));
}

/** Returns a message for a failed start that says what to do. */
export function explainStart(error: Error): string {
  const { PORT = "8080", HOST = "127.0.0.1" } = process.env;
  if (error instanceof ConfigError || error instanceof StartError || error instanceof AlreadyRunning)
    return error.message;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `Port ${PORT} is in use by another program. Stop it, or start with another one: PORT=8081 npm start`;
    case "EADDRNOTAVAIL":
      return `This machine has no address ${HOST}. Set HOST to one of its own, such as 127.0.0.1.`;
    case "EACCES":
      return `Permission denied: ${error.message}. Choose a PORT above 1023, or a DATA_DIR that you may write to.`;
    case "ENOSPC":
    case "53100":
      return "The disk is full. Free some space and start again; nothing that was acknowledged is lost.";
    default:
      return error.message;
  }
}

/** Ignores write errors of a closed terminal, which would break the stop that it caused. */
function surviveClosedTerminal(): void {
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}
