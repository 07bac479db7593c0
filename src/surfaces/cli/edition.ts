import { Command } from "commander";
import { nameAsTyped } from "./as-typed.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type GlobalOptions, type LoadServer, Run } from "./run.ts";
import type { System } from "./system.ts";

/** Commands that are in one module, which is loaded when one of them runs, or when all are listed. */
export interface CommandGroup {
  /** First words of the commands. */
  names: readonly string[];
  load: () => Promise<(program: Command, run: Run) => void>;
}

/** Commands that need no server's folder, in the order of the help. */
const OF_THE_API: CommandGroup[] = [
  { names: ["call", "calls"], load: async () => (await import("./commands/call-commands.ts")).addCallCommands },
  { names: ["chat"], load: async () => (await import("./commands/chat-commands.ts")).addChatCommands },
  { names: ["jobs"], load: async () => (await import("./commands/job-commands.ts")).addJobCommands },
  { names: ["results"], load: async () => (await import("./commands/results-command.ts")).addResultsCommand },
  { names: ["flow"], load: async () => (await import("./commands/flow-commands.ts")).addFlowCommands },
  { names: ["tool"], load: async () => (await import("./commands/flow-commands.ts")).addToolCommands },
  { names: ["tool-pack"], load: async () => (await import("./commands/tool-pack-commands.ts")).addToolPackCommands },
  {
    names: ["connection"],
    load: async () => (await import("./commands/connection-commands.ts")).addConnectionCommands,
  },
  { names: ["init"], load: async () => (await import("./commands/init-command.ts")).addInitCommand },
  { names: ["listen"], load: async () => (await import("./commands/listen-command.ts")).addListenCommand },
  { names: ["dnc"], load: async () => (await import("./commands/do-not-call-commands.ts")).addDoNotCallCommands },
  { names: ["simulate"], load: async () => (await import("./commands/simulate-command.ts")).addSimulateCommands },
  { names: ["mcp"], load: async () => (await import("./commands/mcp-commands.ts")).addMcpCommands },
  { names: ["collection"], load: async () => (await import("./commands/collection-command.ts")).addCollectionCommand },
];

const VERSION = ["-V", "--version"];

/** Commander's words for an argument that a parser refuses. */
const REFUSED_ARGUMENT = /command-argument value '(.*)' is invalid for argument '(.*?)'/;

const EXIT_CODES = `
Exit codes: 0 ok, 1 error, 2 usage, 3 not allowed, 4 not found, 5 rate limited, 6 ended with failures,
7 server or network, 130 interrupted.`;

/** Differences between the program of the server's checkout and that of the package. */
export interface Edition {
  version: string;
  /** Says after the help where commands find their server. */
  hint: string;
  /** Commands that need the server's folder, or that say where they are. */
  serverCommands: readonly CommandGroup[];
  /** Present where the server's source is. */
  loadServer?: LoadServer;
}

/**
 * Runs one command line (without the program's own name) and returns its exit code; never throws. Data goes to standard
 * output, everything else to standard error.
 */
export async function runEdition(edition: Edition, argv: string[], system: System): Promise<number> {
  const run = new Run(system, edition.loadServer);
  // Also applies to faults found before the options have been read.
  run.configure({ json: argv.includes("--json"), quiet: argv.includes("-q") || argv.includes("--quiet") });
  try {
    const program = await buildEdition(edition, run, argv);
    await program.parseAsync(argv, { from: "user" });
    return run.exitCode;
  } catch (error) {
    run.report(error);
    return exitCodeOf(error);
  }
}

/** Builds the program of an edition with all its commands, or with those alone that a command line needs. */
export async function buildEdition(edition: Edition, run: Run, argv: readonly string[] = []): Promise<Command> {
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
      outputError: (text, write) => write(text.replace(REFUSED_ARGUMENT, "'$1' is not allowed for <$2>")),
    });
  program.hook("preAction", () => run.configure(program.opts<GlobalOptions>()));
  const own: CommandGroup = {
    // No name picks it alone: it lists all commands.
    names: [],
    load: async () => (await import("./commands/completion-command.ts")).addCompletionCommand,
  };
  const groups = pickGroups([...OF_THE_API, ...edition.serverCommands, own], argv);
  for (const add of await Promise.all(groups.map(({ load }) => load()))) add(program, run);
  nameOwnHelp(program, "parley", run.system.env);
  return program;
}

/**
 * Returns the groups that a command line needs: that of its command, or all where it lists them, misspells one or has a
 * value before it.
 */
function pickGroups(groups: CommandGroup[], argv: readonly string[]): CommandGroup[] {
  if (argv.length === 1 && VERSION.includes(argv[0] ?? "")) return [];
  const first = argv.find((word) => word !== "--json" && word !== "-q" && word !== "--quiet");
  const picked = groups.filter(({ names }) => names.includes(first ?? ""));
  return picked.length > 0 ? picked : groups;
}

/** Has each command end its errors with the command line that shows its own options. */
function nameOwnHelp(command: Command, words: string, env: System["env"]): void {
  command.showHelpAfterError(nameAsTyped(`(see: ${words} --help)`, env));
  for (const below of command.commands) nameOwnHelp(below, `${words} ${below.name()}`, env);
}
