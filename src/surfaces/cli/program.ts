import type { Command } from "commander";
import { readVersion } from "#src/platform/kernel/version.ts";
import { addBackupCommands } from "./commands/backup-commands.ts";
import { addCarrierCommands } from "./commands/carrier-commands.ts";
import { addClientCommands, addKeyCommands } from "./commands/credential-commands.ts";
import { addDrainCommand } from "./commands/drain-command.ts";
import { addInitCommand } from "./commands/init-command.ts";
import { addSecretCommands } from "./commands/secret-commands.ts";
import { addServerCommands } from "./commands/server-commands.ts";
import { addSignOnCommands } from "./commands/sign-on-commands.ts";
import { addUpgradeCommands } from "./commands/upgrade-commands.ts";
import { addUserCommands } from "./commands/user-commands.ts";
import { addWorkspaceCommands } from "./commands/workspace-commands.ts";
import { buildEdition, type Edition, runEdition } from "./edition.ts";
import type { Run } from "./run.ts";
import { createSystem, type System } from "./system.ts";

const CHECKOUT: Edition = {
  version: readVersion(),
  hint: `Server: npm start. Commands marked (operator) need its data folder (DATA_DIR, ./data by default); the others
use PARLEY_API_KEY and PARLEY_URL, or the profile that "workspace create" saved.`,
  addServerCommands(program, run) {
    addWorkspaceCommands(program, run);
    addKeyCommands(program, run);
    addClientCommands(program, run);
    addCarrierCommands(program, run);
    addInitCommand(program, run);
    addUserCommands(program, run);
    addSignOnCommands(program, run);
    addServerCommands(program, run);
    addDrainCommand(program, run);
    addUpgradeCommands(program, run);
    addSecretCommands(program, run);
    addBackupCommands(program, run);
  },
};

/** Runs one command line of the server's checkout and returns its exit code; never throws. */
export function runCli(argv: string[], system: System = createSystem()): Promise<number> {
  return runEdition(CHECKOUT, argv, system);
}

/** Builds the program of the server's checkout with all its commands. */
export function buildProgram(run: Run): Command {
  return buildEdition(CHECKOUT, run);
}
