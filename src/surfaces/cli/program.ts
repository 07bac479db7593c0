import { Command } from "commander";
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
import { addFlowCommands, addToolCommands } from "./commands/flow-commands.ts";
import { addInitCommand } from "./commands/init-command.ts";
import { addJobCommands } from "./commands/job-commands.ts";
import { addListenCommand } from "./commands/listen-command.ts";
import { addMcpCommands } from "./commands/mcp-commands.ts";
import { addSecretCommands } from "./commands/secret-commands.ts";
import { addServerCommands } from "./commands/server-commands.ts";
import { addSimulateCommands } from "./commands/simulate-command.ts";
import { addUpgradeCommands } from "./commands/upgrade-commands.ts";
import { addUserCommands } from "./commands/user-commands.ts";
import { addWorkspaceCommands } from "./commands/workspace-commands.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type GlobalOptions, Run } from "./run.ts";
import { createSystem, type System } from "./system.ts";

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
    run.report(error);
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
  addToolCommands(program, run);
  addListenCommand(program, run);
  addInitCommand(program, run);
  addDoNotCallCommands(program, run);
  addSimulateCommands(program, run);
  addMcpCommands(program, run);
  addUserCommands(program, run);
  addServerCommands(program, run);
  addDrainCommand(program, run);
  addUpgradeCommands(program, run);
  addSecretCommands(program, run);
  addBackupCommands(program, run);
  addCollectionCommand(program, run);
  addCompletionCommand(program, run);
  return program;
}
