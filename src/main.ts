import { flushCompileCache } from "node:module";
import { ConfigError, readConfig, ROLES, type Role } from "#src/platform/config/config.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { runCli } from "#src/surfaces/cli/program.ts";
import { AlreadyRunning } from "#src/surfaces/operator/socket.ts";
import { startApp, type App } from "./app/app.ts";
import { serveSandboxCarrier } from "./app/carriers.ts";
import { StartError } from "./app/database.ts";

/** A server that cannot go on ends in order, but not later than this. */
const LAST_STOP_MS = 10_000;
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `parley serve`: starts the roles and stays until a stop signal, or until the launcher that started it is gone. */
async function serve(args: string[]): Promise<void> {
  surviveClosedTerminal();
  const config = readConfig(process.env, readRoles(args));
  const log = createLog(config.logLevel);
  // Before anything is opened: a signal that comes during the start is honoured right after it.
  const stopped = untilStopped();
  const startedAt = performance.now();
  const app = await startApp(config, log);
  printWelcome(app, Math.round(performance.now() - startedAt));
  // The launcher starts again what dies from now on; what cannot start in the first place it lets be.
  process.send?.("ready");
  // It is kept at the end of a process too, which a kill -9 leaves out; the next start is the one that counts then.
  flushCompileCache();
  const reason = await Promise.race([stopped, app.hopeless]);
  if (reason) return endHopeless(app, reason);
  process.stdout.write("Stopping…\n");
  await app.close();
  // Nothing is left to wait for; a handle that some library keeps must not keep the process.
  process.exit(0);
}

/** Ends with 1, so that whoever supervises this process starts another one. */
async function endHopeless(app: App, reason: Error): Promise<never> {
  process.stderr.write(`\nParley cannot go on: ${explain(reason)}\n`);
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

/** The handlers stay: without one, the echo of a Ctrl-C (terminal, npm, launcher) would kill a stop half-way. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve());
  });
}

function printWelcome(app: App, ms: number): void {
  process.stdout.write(
    [
      "",
      `  Parley is ready (${(ms / 1000).toFixed(1)} s).`,
      "",
      `  Dashboard  ${app.url}`,
      ...(app.setupUrl ? [`             make your account, within 30 minutes: ${app.setupUrl}`] : []),
      `  API        ${app.url}/api/external/v1`,
      `  Document   ${app.url}/openapi.json`,
      `  MCP        ${app.url}/api/mcp`,
      "",
      "  Next, in a second terminal:",
      "",
      "    npx parley workspace create --name Demo --sample",
      "    npx parley call +12025550100 --watch",
      "",
      "  Ctrl-C stops it.",
      "",
      "",
    ].join("\n"),
  );
}

/** What a failed start means, in words that say what to do. */
function explain(error: Error): string {
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

/** A terminal that is closed must not break the stop that it asked for. */
function surviveClosedTerminal(): void {
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}

async function main(args: string[]): Promise<void> {
  if (args[0] === "serve") return serve(args.slice(1));
  if (args[0] === "sandbox-carrier") return serveSandboxCarrier(args.slice(1), untilStopped);
  process.exitCode = await runCli(args);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const error = toError(thrown);
  process.stderr.write(`\nParley could not start: ${explain(error)}\n`);
  if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${error.stack ?? ""}\n`);
  process.exit(1);
}
