import type { Command } from "commander";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Run } from "#src/surfaces/cli/run.ts";

/** Adds `upgrade check`, which loads what reads databases when it runs. */
export function addUpgradeCommands(program: Command, run: Run): void {
  program
    .command("upgrade")
    .description("upgrades of the installation; takes the server's own settings (operator)")
    .command("check")
    .description("compare this version with the running database; exits with 1 when something speaks against it")
    .action(() => check(run));
}

async function check(run: Run): Promise<void> {
  const { readConfig } = await import("#src/platform/config/config.ts");
  const { onDatabase } = await import("#src/surfaces/backup/connections.ts");
  const { checkUpgrade } = await import("#src/surfaces/upgrade/check.ts");
  const { env } = run.system;
  const config = readConfig(env);
  const found = await onDatabase(config, (client) => checkUpgrade(client, config, env));
  const isReady = found.findings.every(({ level }) => level !== "FAULT");
  const lines = found.findings.map(({ name, level, message }) => `${level.padEnd(7)}  ${name}: ${message}`);
  await run.print({ isReady, ...found }, [`Upgrade to Parley ${found.version}:`, ...lines].join("\n"));
  if (isReady) return;
  run.exitCode = EXIT.ERROR;
}
