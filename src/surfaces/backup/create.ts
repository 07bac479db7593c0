import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { findStoredFile } from "#src/interactions/recordings/recording-files.ts";
import { KEPT_RECORDINGS_SQL } from "#src/interactions/recordings/recordings.ts";
import type { Config } from "#src/platform/config/config.ts";
import { openBucket } from "#src/platform/files/bucket.ts";
import { createFolderStore } from "#src/platform/files/folder.ts";
import { readRotation } from "#src/platform/secrets/rotation.ts";
import { BackupError } from "./backup-error.ts";
import { type BackupKey, findBackupKeys } from "./backup-key.ts";
import { onDatabase } from "./connections.ts";
import { flushFolder, flushFolders } from "./files.ts";
import { noteBackup } from "./last-backup.ts";
import {
  FORMAT,
  type Manifest,
  MANIFEST_FILE,
  pathOfTable,
  RECORDINGS_FILE,
  renderManifest,
  type Stored,
  type TableCopy,
} from "./manifest.ts";
import { copyRecordings } from "./recording-copies.ts";
import { columnList, quote, readSequences, readTables } from "./schema.ts";
import { readStored, storeStream } from "./stored-stream.ts";

/** Settings of a backup. */
export interface CreateOptions {
  /** Folder of the backup, which must not exist. */
  folder: string;
  withRecordings: boolean;
  /** Version of Parley. */
  version: string;
  /** Called for each table that was copied. */
  onTable: (name: string, rows: number) => void;
  /** Called when the backup is whole, and the database could not note its time, such as a replica that only reads. */
  onUnnoted: (reason: Error) => void;
  /** Ends the backup, which then leaves nothing. */
  signal: AbortSignal;
}

/** Name of the list of recordings as the snapshot has it, until their files are copied. */
const PATHS_FILE = "paths.zst";

/**
 * Settings of the one transaction that reads everything. Its form is that of PostgreSQL itself, whatever the role or the
 * database has set, and no time limit of theirs ends it.
 */
const SNAPSHOT = [
  "begin transaction isolation level repeatable read, read only",
  "set local statement_timeout = 0",
  "set local idle_in_transaction_session_timeout = 0",
  "set local client_encoding = 'UTF8'",
  "set local datestyle = 'ISO'",
  "set local intervalstyle = 'postgres'",
  "set local extra_float_digits = 3",
  "set local bytea_output = 'hex'",
];

/**
 * Writes a backup of the installation of `config` to a new folder: all tables as of one moment, then the files of
 * recordings. The server may run. The folder gets its name at the end, so that it is whole or not there.
 */
export async function createBackup(config: Config, options: CreateOptions): Promise<Manifest> {
  const folder = resolve(options.folder);
  if (existsSync(folder)) throw new BackupError(`${folder} exists already. A backup needs a new name.`);
  const keys = findBackupKeys(config);
  if (keys.length === 0)
    throw new BackupError("Set PARLEY_SECRET or DATA_DIR as for the server: a backup is bound to its secret.");
  const draft = `${folder}.unfinished-${process.pid}`;
  await mkdir(join(draft, "tables"), { recursive: true, mode: 0o700 });
  try {
    const { manifest, key } = await fill(draft, config, keys, options);
    await writeFile(join(draft, MANIFEST_FILE), renderManifest(manifest, key), { mode: 0o600, flush: true });
    await flushFolders(draft);
    await rename(draft, folder);
    await flushFolder(dirname(folder));
    await onDatabase(config, (client) => noteBackup(client, manifest.createdAt)).catch(options.onUnnoted);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    options.signal.throwIfAborted();
    throw error;
  }
}

async function fill(
  draft: string,
  config: Config,
  keys: BackupKey[],
  options: CreateOptions,
): Promise<{ manifest: Manifest; key: BackupKey }> {
  const { version, withRecordings, signal } = options;
  const copied = await onDatabase(config, (client) => copyDatabase(client, draft, keys, options));
  const { paths, key, ...database } = copied;
  const totals = { rows: 0, missing: 0, bytes: 0 };
  let list: Stored | null = null;
  if (withRecordings) {
    assertFolder(config, paths.rows);
    await readStored(join(draft, PATHS_FILE), paths, async (pieces) => {
      const { folder, bucket } = config.recordings;
      const stores = { local: createFolderStore(folder), bucket: bucket ? openBucket(bucket) : null };
      const find = (path: string) => findStoredFile(stores, path);
      const lines = copyRecordings(pieces, find, draft, totals, signal);
      list = await storeStream(join(draft, RECORDINGS_FILE), lines, signal);
    });
  }
  await rm(join(draft, PATHS_FILE));
  const recordings = { ...totals, included: withRecordings, rows: paths.rows, list };
  return { key, manifest: { format: FORMAT, version, secret: key.fingerprint, ...database, recordings } };
}

/** Throws when the folder of recordings is not there, which a server makes at its start: it is another one's. */
function assertFolder({ recordings: { folder, bucket } }: Config, rows: number): void {
  if (rows === 0 || bucket || existsSync(folder)) return;
  throw new BackupError(
    `There is no folder ${folder}, and the installation has ${rows} recordings. Set RECORDINGS_DIR, or DATA_DIR, as for the server; --without-recordings leaves their files out.`,
  );
}

/** Contents of the database as of one moment, with the paths of its recordings and the secret that it seals with. */
type DatabaseCopy = Pick<Manifest, "createdAt" | "migrations" | "tables" | "sequences"> & {
  paths: Stored;
  key: BackupKey;
};

/**
 * Copies all tables in one transaction. It ends before the files of recordings are copied, because an old snapshot
 * keeps the database from clearing away dead rows.
 */
async function copyDatabase(
  client: pg.Client,
  draft: string,
  keys: BackupKey[],
  { onTable, signal }: CreateOptions,
): Promise<DatabaseCopy> {
  const copy = (path: string, what: string) =>
    storeStream(path, client.query(copyTo(`copy ${what} to stdout`)), signal);
  for (const statement of SNAPSHOT) await client.query(statement);
  const { createdAt, migrations, key } = await readOrigin(client, keys);
  const tables: TableCopy[] = [];
  for (const { name, columns } of await readTables(client)) {
    const stored = await copy(pathOfTable(draft, name), `${quote(name)} ${columnList(columns)}`);
    tables.push({ name, columns, ...stored });
    onTable(name, stored.rows);
  }
  const sequences = await readSequences(client);
  const paths = await copy(join(draft, PATHS_FILE), `(${KEPT_RECORDINGS_SQL})`);
  await client.query("commit");
  return { createdAt, migrations, key, tables, sequences, paths };
}

/**
 * Returns the moment of the snapshot, the migrations of its schema, and the secret that it seals with. Throws for another
 * secret than the database's, and while that is changed: a part of the copy would open with the former one alone.
 */
async function readOrigin(
  client: pg.Client,
  keys: BackupKey[],
): Promise<Omit<DatabaseCopy, "tables" | "sequences" | "paths">> {
  const found = await client.query<{ at: Date; is_parley: boolean }>(
    "select now() as at, to_regclass('schema_migrations') is not null as is_parley",
  );
  const [{ at, is_parley: isParley } = { at: new Date(), is_parley: false }] = found.rows;
  if (!isParley) throw new BackupError("This database has no tables of Parley's. Start the server on it once.");
  const steps = await client.query<{ number: number }>("select number from schema_migrations order by number");
  const checks = await client.query<{ value: Buffer }>("select value from settings where name = 'key_check'");
  const [check] = checks.rows;
  const key = check ? keys.find((one) => one.opens(check.value)) : keys[0];
  if (!key) {
    throw new BackupError(
      "PARLEY_SECRET is not the one this database was set up with, so nobody could restore this backup. Set it, or DATA_DIR, as for the server.",
    );
  }
  if ((await readRotation(client))?.finishedAt === null) {
    throw new BackupError("The secret is being changed. Make the backup when parley secret rotate has ended.");
  }
  return { key, createdAt: at.toISOString(), migrations: steps.rows.map(({ number }) => number) };
}
