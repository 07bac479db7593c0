import { ApiError, ConnectionError } from "@parley/sdk";
import { Command, CommanderError } from "commander";
import { toError } from "#src/platform/kernel/errors.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import { addBackupCommands } from "./commands/backup-commands.ts";
import { addCallCommands } from "./commands/call-commands.ts";
import { addCarrierCommands } from "./commands/carrier-commands.ts";
import { addChatCommands } from "./commands/chat-commands.ts";
import { addCollectionCommand } from "./commands/collection-command.ts";
import { addCompletionCommand } from "./commands/completion-command.ts";
import { addClientCommands, addKeyCommands } from "./commands/credential-commands.ts";
import { addDoNotCallCommands } from "./commands/do-not-call-commands.ts";
import { addDrainCommand } from "./commands/drain-command.ts";
import { addFlowCommands } from "./commands/flow-commands.ts";
import { addInitCommand } from "./commands/init-command.ts";
import { addJobCommands } from "./commands/job-commands.ts";
import { addMcpCommands } from "./commands/mcp-commands.ts";
import { addSecretCommands } from "./commands/secret-commands.ts";
import { addServerCommands } from "./commands/server-commands.ts";
import { addSignOnCommands } from "./commands/sign-on-commands.ts";
import { addSimulateCommands } from "./commands/simulate-command.ts";
import { addUpgradeCommands } from "./commands/upgrade-commands.ts";
import { addUserCommands } from "./commands/user-commands.ts";
import { addWorkspaceCommands } from "./commands/workspace-commands.ts";
import { CliError, EXIT, exitCodeOf, OperatorError } from "./exit-codes.ts";
import { type GlobalOptions, Run } from "./run.ts";
import { createSystem, type System } from "./system.ts";
import { printable } from "./table.ts";

const AFTER_HELP = `
Server: npm start. Commands marked (operator) need its data folder (DATA_DIR, ./data by default); the others
use PARLEY_API_KEY and PARLEY_URL, or the profile that "workspace create" saved.
Exit codes: 0 ok, 1 error, 2 usage, 3 not allowed, 4 not found, 5 rate limited, 6 ended with failures,
7 server or network, 130 interrupted.`;

/**
 * Runs one command line (without the program's own name) and returns its exit code; never throws. Data goes to standard
 * output, everything else to standard error.
 */
export async function runCli(argv: string[], system: System = createSystem()): Promise<number> {
  const run = new Run(system);
  // Also applies to faults found before the options have been read.
  run.configure({ json: argv.includes("--json"), quiet: argv.includes("-q") || argv.includes("--quiet") });
  try {
    await buildProgram(run).parseAsync(argv, { from: "user" });
    return run.exitCode;
  } catch (error) {
    report(run, error);
    return exitCodeOf(error);
  }
}

/** Builds the program with all its commands. */
export function buildProgram(run: Run): Command {
  const program = new Command("parley")
    .description("Outbound calls and chats from the command line.")
    .version(readVersion(), "-V, --version", "print the version")
    .option("--json", "print JSON; one object a line while watching")
    .option("-q, --quiet", "print data and warnings only")
    .option("--profile <file>", "take server and key from this file")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(see: parley help)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void run.system.writeOut(text),
      writeErr: (text) => run.system.writeErr(text),
    });
  program.hook("preAction", () => run.configure(program.opts<GlobalOptions>()));
  addWorkspaceCommands(program, run);
  addKeyCommands(program, run);
  addClientCommands(program, run);
  addCarrierCommands(program, run);
  addCallCommands(program, run);
  addChatCommands(program, run);
  addJobCommands(program, run);
  addFlowCommands(program, run);
  addInitCommand(program, run);
  addDoNotCallCommands(program, run);
  addSimulateCommands(program, run);
  addMcpCommands(program, run);
  addUserCommands(program, run);
  addSignOnCommands(program, run);
  addServerCommands(program, run);
  addDrainCommand(program, run);
  addUpgradeCommands(program, run);
  addSecretCommands(program, run);
  addBackupCommands(program, run);
  addCollectionCommand(program, run);
  addCompletionCommand(program, run);
  return program;
}

function report(run: Run, thrown: unknown): void {
  // Commander has already printed the error.
  if (thrown instanceof CommanderError) return;
  const error = toError(thrown);
  const exitCode = exitCodeOf(error);
  if (run.options.json) {
    run.system.writeErr(`${JSON.stringify({ ...factsOf(error), message: messageOf(error), exitCode })}\n`);
    return;
  }
  const label = exitCode === EXIT.INTERRUPTED ? "" : `${run.paint("red", "error")} `;
  run.system.writeErr(`${label}${messageOf(error)}\n`);
  if (!isExpected(error) && run.system.env.PARLEY_DEBUG) run.system.writeErr(`${error.stack}\n`);
}

function messageOf(error: Error): string {
  if (error instanceof ConnectionError) return `${error.message} Is the server running? Start it with: npm start`;
  // Several faults of one file are printed one per line.
  const lines = error instanceof CliError ? error.message.split("\n").map(printable) : [printable(error.message)];
  const { details, requestId } = error as { details?: { path?: string; message?: string }[]; requestId?: string };
  for (const detail of details ?? []) {
    const text = printable(`${detail.path ?? ""}: ${detail.message ?? ""}`);
    if (!error.message.includes(detail.message ?? "")) lines.push(`  ${text}`);
  }
  if (requestId !== undefined) lines.push(`  request ${printable(requestId)}`);
  return lines.join("\n");
}

function factsOf(error: Error): object {
  if (error instanceof ApiError) {
    const { error: title, code, details, requestId, status } = error;
    return { error: title, code, details, requestId, status };
  }
  if (error instanceof OperatorError)
    return { error: error.name, code: error.code, details: error.details, status: error.status };
  return { error: error.name };
}

function isExpected(error: Error): boolean {
  return (
    error instanceof CliError ||
    error instanceof OperatorError ||
    error instanceof ApiError ||
    error instanceof ConnectionError
  );
}
