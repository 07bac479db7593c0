import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type Edition, runEdition } from "./edition.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import { createSystem } from "./system.ts";

/* The program of the package, which has no server: bin/cli.js bundles it. */

/** Commands of the server's checkout, which work on its data folder or its source. */
const SERVER_COMMANDS =
  "workspace key client carrier setup-link user sign-on doctor sandbox drain upgrade secret backup".split(" ");

const packaged: Edition = {
  version: (JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")) as { version: string })
    .version,
  hint: "Commands use PARLEY_URL and PARLEY_API_KEY, or a profile. Those marked (server) run in the server's checkout.",
  serverCommands: SERVER_COMMANDS.map((name) => ({
    names: [name],
    load: async () => (program) => refuse(program, name),
  })),
};

/** Adds a command that says where it can be run. */
function refuse(program: Command, name: string): void {
  program
    .command(name)
    .description("(server)")
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(() => {
      const where = `Run it in the folder of the server's checkout: npx parley ${name}`;
      throw new CliError(
        EXIT.USAGE,
        `parley ${name} is part of the server, which this package does not hold. ${where}`,
      );
    });
}

process.exitCode = await runEdition(packaged, process.argv.slice(2), createSystem());
