import { toError } from "#src/platform/kernel/errors.ts";

/*
 * The command line. Each way loads only what it needs: a command of a person starts in a tenth of the time of a server.
 */

/**
 * Compiles patterns to machine code at once. By default V8 makes bytecode first, at a cost that grows with the square of
 * a pattern's length, and throws both away when a pattern rests: the first words of a person after a quiet while stopped
 * the service for 60 ms, most of it for the opt-out patterns of their language, and for 9 with this.
 */
const REGEXP_FLAG = "--no-regexp-tier-up";

async function main(args: string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === "serve" || command === "sandbox-carrier") return start(command, rest);
  const { runCli } = await import("#src/surfaces/cli/program.ts");
  process.exitCode = await runCli(args);
}

async function start(command: "serve" | "sandbox-carrier", args: string[]): Promise<void> {
  // Before the server is loaded: V8 takes what an earlier start compiled under the same flags only.
  process.getBuiltinModule("node:v8").setFlagsFromString(REGEXP_FLAG);
  const { explainStart, serve, untilStopped } = await import("./app/serve.ts");
  try {
    if (command === "serve") return await serve(args);
    const { serveSandboxCarrier } = await import("./app/carriers.ts");
    await serveSandboxCarrier(args, untilStopped);
  } catch (thrown) {
    const error = toError(thrown);
    process.stderr.write(`\nParley could not start: ${explainStart(error)}\n`);
    if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${error.stack ?? ""}\n`);
    process.exit(1);
  }
}

void main(process.argv.slice(2));
