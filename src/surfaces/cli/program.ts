import type { Command } from "commander";
import { readVersion } from "#src/platform/kernel/version.ts";
import { buildEdition, type CommandGroup, type Edition, runEdition } from "./edition.ts";
import type { Run } from "./run.ts";
import { createSystem, type System } from "./system.ts";

/** Commands of the server's checkout, in the order of the help. */
const OF_THE_SERVER: CommandGroup[] = [
  { names: ["workspace"], load: async () => (await import("./commands/workspace-commands.ts")).addWorkspaceCommands },
  { names: ["key"], load: async () => (await import("./commands/credential-commands.ts")).addKeyCommands },
  { names: ["client"], load: async () => (await import("./commands/credential-commands.ts")).addClientCommands },
  { names: ["carrier"], load: async () => (await import("./commands/carrier-commands.ts")).addCarrierCommands },
  { names: ["setup-link", "user"], load: async () => (await import("./commands/user-commands.ts")).addUserCommands },
  { names: ["sign-on"], load: async () => (await import("./commands/sign-on-commands.ts")).addSignOnCommands },
  { names: ["doctor", "sandbox"], load: async () => (await import("./commands/server-commands.ts")).addServerCommands },
  { names: ["drain"], load: async () => (await import("./commands/drain-command.ts")).addDrainCommand },
  { names: ["upgrade"], load: async () => (await import("./commands/upgrade-commands.ts")).addUpgradeCommands },
  { names: ["secret"], load: async () => (await import("./commands/secret-commands.ts")).addSecretCommands },
  { names: ["backup"], load: async () => (await import("./commands/backup-commands.ts")).addBackupCommands },
];

/** The program of the server's checkout. */
export const CHECKOUT: Edition = {
  version: readVersion(),
  hint: `Server: npm start. Commands marked (operator) need its data folder (DATA_DIR, ./data by default); the others
use PARLEY_API_KEY and PARLEY_URL, or the profile that "workspace create" saved.`,
  serverCommands: OF_THE_SERVER,
  loadServer: async () => (await import("./throw-away-server.ts")).withThrowAwayServer,
};

/** Runs one command line of the server's checkout and returns its exit code; never throws. */
export function runCli(argv: string[], system: System = createSystem()): Promise<number> {
  return runEdition(CHECKOUT, argv, system);
}

/** Builds the program of the server's checkout with all its commands. */
export function buildProgram(run: Run): Promise<Command> {
  return buildEdition(CHECKOUT, run);
}
