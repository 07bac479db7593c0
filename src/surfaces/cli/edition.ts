import { Command } from "commander";
import { nameAsTyped } from "./as-typed.ts";
import { addCallCommands } from "./commands/call-commands.ts";
import { addChatCommands } from "./commands/chat-commands.ts";
import { addCollectionCommand } from "./commands/collection-command.ts";
import { addCompletionCommand } from "./commands/completion-command.ts";
import { addConnectionCommands } from "./commands/connection-commands.ts";
import { addDoNotCallCommands } from "./commands/do-not-call-commands.ts";
import { addFlowCommands, addToolCommands } from "./commands/flow-commands.ts";
import { addJobCommands } from "./commands/job-commands.ts";
import { addListenCommand } from "./commands/listen-command.ts";
import { addMcpCommands } from "./commands/mcp-commands.ts";
import { addResultsCommand } from "./commands/results-command.ts";
import { addSimulateCommands } from "./commands/simulate-command.ts";
import { addToolPackCommands } from "./commands/tool-pack-commands.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type GlobalOptions, Run } from "./run.ts";
import type { System } from "./system.ts";

const EXIT_CODES = `
Exit codes: 0 ok, 1 error, 2 usage, 3 not allowed, 4 not found, 5 rate limited, 6 ended with failures,
7 server or network, 130 interrupted.`;

/** Differences between the program of the server's checkout and that of the package. */
export interface Edition {
  version: string;
  /** Says after the help where commands find their server. */
  hint: string;
  /** Adds the commands that need the server's folder, or says where they are. */
  addServerCommands(program: Command, run: Run): void;
}

/**
 * Runs one command line (without the program's own name) and returns its exit code; never throws. Data goes to standard
 * output, everything else to standard error.
 */
export async function runEdition(edition: Edition, argv: string[], system: System): Promise<number> {
  const run = new Run(system);
  // Also applies to faults found before the options have been read.
  run.configure({ json: argv.includes("--json"), quiet: argv.includes("-q") || argv.includes("--quiet") });
  try {
    await buildEdition(edition, run).parseAsync(argv, { from: "user" });
    return run.exitCode;
  } catch (error) {
    run.report(error);
    return exitCodeOf(error);
  }
}

/** Builds the program of an edition with all its commands. */
export function buildEdition(edition: Edition, run: Run): Command {
  const program = new Command("parley")
    .description("Outbound calls and chats from the command line.")
    .version(edition.version, "-V, --version", "print the version")
    .option("--json", "print JSON; one object a line while watching")
    .option("-q, --quiet", "print data and warnings only")
    .option("--profile <file>", "take server and key from this file")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", `\n${edition.hint}${EXIT_CODES}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void run.system.writeOut(text),
      writeErr: (text) => run.system.writeErr(text),
    });
  program.hook("preAction", () => run.configure(program.opts<GlobalOptions>()));
  addCallCommands(program, run);
  addChatCommands(program, run);
  addJobCommands(program, run);
  addResultsCommand(program, run);
  addFlowCommands(program, run);
  addToolCommands(program, run);
  addToolPackCommands(program, run);
  addConnectionCommands(program, run);
  addListenCommand(program, run);
  addDoNotCallCommands(program, run);
  addSimulateCommands(program, run);
  addMcpCommands(program, run);
  addCollectionCommand(program, run);
  edition.addServerCommands(program, run);
  addCompletionCommand(program, run);
  nameOwnHelp(program, "parley", run.system.env);
  return program;
}

/** Has each command end its errors with the command line that shows its own options. */
function nameOwnHelp(command: Command, words: string, env: System["env"]): void {
  command.showHelpAfterError(nameAsTyped(`(see: ${words} --help)`, env));
  for (const below of command.commands) nameOwnHelp(below, `${words} ${below.name()}`, env);
}
