import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { AFTER_RESTORE_SQL } from "#src/interactions/dispatch/after-restore.ts";
import { RESTORED_RECORDINGS_SQL } from "#src/interactions/recordings/recordings.ts";
import type { Config } from "#src/platform/config/config.ts";
import { assertKnown, migrateWithin } from "#src/platform/db/migrate.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { BackupError } from "./backup-error.ts";
import { findBackupKeys } from "./backup-key.ts";
import { onStoppedDatabase } from "./connections.ts";
import { flushFolders } from "./files.ts";
import { holdInstallation, releaseInstallation } from "./hold.ts";
import { type Manifest, pathOfTable, readManifest, RECORDINGS_FILE, type SealedManifest } from "./manifest.ts";
import { putBack, readRecordingList } from "./recording-copies.ts";
import {
  columnList,
  dropIndexes,
  findObject,
  quote,
  readTables,
  setSequences,
  sortByReferences,
  type Table,
} from "./schema.ts";
import { readStored } from "./stored-stream.ts";
import { SEAL_BROKEN } from "./verify.ts";

/** Settings of a restore. */
export interface RestoreOptions {
  folder: string;
  /** Leaves the installation without a hold. */
  resumes: boolean;
  /** Called for each table that was loaded. */
  onTable: (name: string, rows: number) => void;
  log: Log;
  /** Ends the restore after the statement in progress; the database is empty then. */
  signal: AbortSignal;
}

/**
 * Restores a backup into the empty database of an installation on which no server runs, and its recordings into their
 * folder. Refuses another secret before it writes anything. All or nothing: one transaction creates the schema as it was,
 * loads it and migrates it to this version.
 */
export async function restoreBackup(config: Config, options: RestoreOptions): Promise<Manifest> {
  const { folder, log } = options;
  const sealed = readManifest(folder);
  assertSecret(config, sealed);
  const { manifest } = sealed;
  assertKnown(manifest.migrations);
  await onStoppedDatabase(config, log, async (client) => {
    const placed: string[] = [];
    try {
      await assertEmpty(client);
      // Before the transaction, which PgBouncer's or the role's limit of idle ones would end while it waits for files.
      await placeRecordings(config.recordings.folder, manifest, options, placed);
      await client.query("begin");
      await load(client, manifest, options);
      options.signal.throwIfAborted();
    } catch (error) {
      for (const path of placed) await rm(path, { force: true });
      await client.query("rollback").catch(() => undefined);
      options.signal.throwIfAborted();
      throw error;
    }
    await client.query("commit");
  });
  return manifest;
}

/** Throws when the installation has another secret than the backup, or when the backup was changed. */
function assertSecret(config: Config, { seal, manifest }: SealedManifest): void {
  const key = findBackupKeys(config).find(({ fingerprint }) => fingerprint === manifest.secret);
  if (!key) {
    throw new BackupError(
      "PARLEY_SECRET is not the one of this backup. Set the secret of the installation that was backed up (the file `secret` in its DATA_DIR when none was set); stored credentials can only be read with it. Nothing was changed.",
    );
  }
  if (key.seal(JSON.stringify(manifest)) !== seal) throw new BackupError(`${SEAL_BROKEN} Nothing was changed.`);
}

/** Throws when the database has a table or the like. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const found = await findObject(client);
  if (found === undefined) return;
  throw new BackupError(
    `The database is not empty: it has ${found}. Restore into a new database, or with the embedded one into a new DATA_DIR. Nothing was changed.`,
  );
}

async function load(client: pg.Client, manifest: Manifest, options: RestoreOptions): Promise<void> {
  await client.query("set local statement_timeout = 0");
  await assertEmpty(client);
  await migrateWithin(client, manifest.migrations);
  await loadTables(client, manifest, options);
  await setSequences(client, manifest.sequences);
  await migrateWithin(client);
  for (const statement of AFTER_RESTORE_SQL) await client.query(statement);
  if (manifest.recordings.included) await client.query(RESTORED_RECORDINGS_SQL);
  // A held installation may have been backed up, too.
  if (options.resumes) await releaseInstallation(client);
  else await holdInstallation(client, manifest.createdAt);
  await client.query("analyze");
}

/**
 * Loads all tables. The schema has what its migrations inserted, which the backup has too. Triggers would write rows
 * that the backup has; references are checked, so a table is loaded after those that it refers to. Indexes are built at
 * the end, which takes a fraction of the time.
 */
async function loadTables(
  client: pg.Client,
  manifest: Manifest,
  { folder, onTable, signal }: RestoreOptions,
): Promise<void> {
  const tables = await readTables(client);
  assertSameTables(manifest, tables);
  const names = tables.map(({ name }) => quote(name));
  await client.query(`truncate ${names.join(", ")}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  const indexes = await dropIndexes(client);
  for (const table of await sortByReferences(client, manifest.tables)) {
    const path = pathOfTable(folder, table.name);
    const statement = `copy ${quote(table.name)} ${columnList(table.columns)} from stdin with (freeze)`;
    const take = (pieces: AsyncIterable<Buffer>) =>
      pipeline(pieces, client.query(copyFrom(statement))).catch((error: unknown) => {
        throw error instanceof pg.DatabaseError
          ? new BackupError(`${path} cannot be loaded: ${error.message}.`)
          : error;
      });
    await readStored(path, table, take, signal);
    onTable(table.name, table.rows);
  }
  for (const statement of indexes) {
    signal.throwIfAborted();
    await client.query(statement);
  }
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
}

/** Throws when the migrations of this version make other tables than those of the backup. */
function assertSameTables(manifest: Manifest, tables: readonly Table[]): void {
  const describe = ({ name, columns }: Table) =>
    columns.map((column) => `${name}.${column.name} ${column.type}`).toSorted();
  const stored = new Set(manifest.tables.flatMap(describe));
  const made = new Set(tables.flatMap(describe));
  const odd = [...stored.symmetricDifference(made)][0];
  if (odd === undefined) return;
  const side = stored.has(odd) ? "The backup has" : "The backup lacks";
  throw new BackupError(
    `${side} ${odd}, other than this version of Parley after the same migrations. Restore it with Parley ${manifest.version}.`,
  );
}

/** Puts the recordings of a backup into their folder. Adds the paths of new files to `placed`. */
async function placeRecordings(
  recordings: string,
  { recordings: { list } }: Manifest,
  { folder, signal }: RestoreOptions,
  placed: string[],
): Promise<void> {
  if (list === null) return;
  const place = async (pieces: AsyncIterable<Buffer>) => {
    for await (const listed of readRecordingList(pieces)) {
      const path = await putBack(folder, listed, recordings);
      if (path !== null) placed.push(path);
    }
  };
  await readStored(join(folder, RECORDINGS_FILE), list, place, signal);
  if (placed.length > 0) await flushFolders(recordings);
}
