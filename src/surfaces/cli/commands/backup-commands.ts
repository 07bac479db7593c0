import { resolve } from "node:path";
import type { Command } from "commander";
import type { Config } from "#src/platform/config/config.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import type { Manifest } from "#src/surfaces/backup/manifest.ts";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";

/** Adds `backup create|verify|restore|resume`, which load what reads databases when they run. */
export function addBackupCommands(program: Command, run: Run): void {
  const backup = program
    .command("backup")
    .description("copy the installation, and restore it elsewhere; takes the server's own settings (operator)");
  backup
    .command("create <folder>")
    .description("write a backup to a new folder; the server may run")
    .option("--without-recordings", "leave out the files of recordings")
    .action((folder: string, { withoutRecordings }: { withoutRecordings?: true }) =>
      create(run, folder, !withoutRecordings),
    );
  backup
    .command("verify <folder>")
    .description("compare every count and digest of a backup with its files; exits with 1 when one is wrong")
    .action((folder: string) => verify(run, folder));
  backup
    .command("restore <folder>")
    .description("restore a backup into an empty database, while no server runs; it is held until it is resumed")
    .option("--resume", "let it dial, send and deliver at its first start")
    .action((folder: string, { resume }: { resume?: true }) => restore(run, folder, resume === true));
  backup
    .command("resume")
    .description("end the hold of a restored installation, from the next start of its servers on")
    .action(() => resume(run));
}

async function create(run: Run, folder: string, withRecordings: boolean): Promise<void> {
  const { createBackup } = await import("#src/surfaces/backup/create.ts");
  const config = await configOf(run);
  const manifest = await detachable(run.system, "The backup was not made.", (signal) =>
    createBackup(config, {
      folder,
      withRecordings,
      version: readVersion(),
      onTable: (name, rows) => noteTable(run, name, rows),
      onUnnoted: ({ message }) =>
        run.warn(`The database did not note the backup, so parley upgrade check does not know of it: ${message}`),
      signal,
    }),
  );
  const text = `Backed up ${describe(manifest)} to ${resolve(folder)}.`;
  await run.print({ folder: resolve(folder), ...summaryOf(manifest) }, text);
  warnOfRecordings(run, manifest);
  run.hint("It opens with the secret of this installation alone, which is not in it: keep that elsewhere.");
}

async function verify(run: Run, folder: string): Promise<void> {
  const { verifyBackup } = await import("#src/surfaces/backup/verify.ts");
  const { manifest, isSealIntact, faults } = await verifyBackup(await configOf(run), folder);
  const summary = { ...summaryOf(manifest), isSealIntact, faults };
  if (faults.length > 0) {
    await run.print(summary, [`${folder} is damaged:`, ...faults].join("\n"));
    run.exitCode = EXIT.ERROR;
    return;
  }
  await run.print(summary, `${folder} is whole: ${describe(manifest)}, of ${manifest.createdAt}.`);
  warnOfRecordings(run, manifest);
  if (isSealIntact === null) run.warn("Its seal was not checked: the secret of its installation is not at hand.");
}

async function restore(run: Run, folder: string, resumes: boolean): Promise<void> {
  const { restoreBackup } = await import("#src/surfaces/backup/restore.ts");
  const config = await configOf(run);
  const manifest = await detachable(run.system, "Nothing was restored.", (signal) =>
    restoreBackup(config, {
      folder,
      resumes,
      onTable: (name, rows) => noteTable(run, name, rows),
      log: createLog(config.logLevels),
      signal,
    }),
  );
  await run.print(
    { ...summaryOf(manifest), held: !resumes },
    `Restored ${describe(manifest)}, of ${manifest.createdAt}.`,
  );
  warnOfRecordings(run, manifest);
  if (resumes) return;
  run.hint("It is held: started, it dials, sends and delivers nothing. See docs/backup.md, then: parley backup resume");
}

async function resume(run: Run): Promise<void> {
  const { onDatabase } = await import("#src/surfaces/backup/connections.ts");
  const { releaseInstallation } = await import("#src/surfaces/backup/hold.ts");
  const wasHeld = await onDatabase(await configOf(run), releaseInstallation);
  await run.print({ wasHeld }, wasHeld ? "Resumed. Start the servers again." : "This installation was not held.");
}

async function configOf(run: Run): Promise<Config> {
  const { readConfig } = await import("#src/platform/config/config.ts");
  return readConfig(run.system.env);
}

function noteTable(run: Run, name: string, rows: number): void {
  if (rows > 0) run.note(run.paint("dim", `${name}: ${rows} rows`));
}

function summaryOf({ version, createdAt, tables, recordings }: Manifest): object {
  const { included, rows, missing, bytes } = recordings;
  return {
    version,
    createdAt,
    tables: tables.length,
    rows: sumOf(tables, "rows"),
    bytes: sumOf(tables, "fileBytes"),
    recordings: { included, rows, missing, bytes },
  };
}

function describe({ tables, recordings: { included, rows, missing, bytes } }: Manifest): string {
  const database = `${sumOf(tables, "rows")} rows of ${tables.length} tables (${toMegabytes(sumOf(tables, "fileBytes"))})`;
  return included ? `${database} and ${rows - missing} recordings (${toMegabytes(bytes)})` : database;
}

function sumOf(tables: Manifest["tables"], of: "rows" | "fileBytes"): number {
  return tables.reduce((sum, table) => sum + table[of], 0);
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function warnOfRecordings(run: Run, { recordings: { included, rows, missing } }: Manifest): void {
  if (!included && rows > 0) run.warn(`The files of ${rows} recordings were left out.`);
  if (missing > 0) run.warn(`The files of ${missing} recordings were not there. The list in the backup names them.`);
}
