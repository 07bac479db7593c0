import { toError } from "#src/platform/kernel/errors.ts";

/*
 * The command line. Each way loads only what it needs: a command of a person starts in a tenth of the time of a server.
 */

async function main(args: string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === "serve" || command === "sandbox-carrier") return start(command, rest);
  const { runCli } = await import("#src/surfaces/cli/program.ts");
  process.exitCode = await runCli(args);
}

async function start(command: "serve" | "sandbox-carrier", args: string[]): Promise<void> {
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
