import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

const FOLDER = new URL("../../../migrations/", import.meta.url).pathname;
/** Key of the advisory lock that lets one node migrate at a time; any fixed number will do. */
const LOCK = 7_279_531;
/** Number of the last file of the baseline, which describes the schema as it was when the former files were replaced. */
const BASELINE = 12;
/** Numbers of the former files. They were recorded in a table `migrations`, which a new database does not have. */
const FORMER = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 31, 32, 33, 35, 36,
  37, 38, 39, 40, 41, 43, 44, 50, 60, 61, 62, 70, 71, 75, 80, 85, 90, 95, 98, 99, 100, 101, 102,
];
/** Last commit that has the former files. */
const LAST_WITH_FORMER = "a7229d3";

/**
 * Brings the schema up to date: numbered .sql files, forward only, each in a transaction of its own that holds an
 * advisory lock, so that one node migrates at a time. The lock ends with the transaction, because a pooler may give the
 * connection to another client. Refuses a database that a newer version has migrated further, and one on which the files
 * before the baseline were not all applied. Returns the number of the last step.
 */
export async function migrate(pool: pg.Pool): Promise<number> {
  const files = listFiles();
  while (await applyNext(pool, files));
  return numberOf(files.at(-1) ?? "");
}

/**
 * Brings the schema up to date in the caller's transaction, which then holds the lock to its end; with `only`, up to
 * exactly these steps. Throws for a step that has no file.
 */
export async function migrateWithin(client: pg.ClientBase, only?: readonly number[]): Promise<void> {
  const files = listFiles();
  const known = new Set(files.map(numberOf));
  const unknown = only?.find((number) => !known.has(number));
  if (unknown !== undefined) throw madeByOther(unknown);
  const wanted = files.filter((file) => only?.includes(numberOf(file)) ?? true);
  while (await applyNextWithin(client, wanted));
}

function listFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort();
}

async function applyNext(pool: pg.Pool, files: string[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const wasApplied = await applyNextWithin(client, files);
    await client.query("commit");
    return wasApplied;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Applies the first missing step, whatever its number: steps developed in parallel may land in any order. */
async function applyNextWithin(client: pg.ClientBase, files: string[]): Promise<boolean> {
  await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  const next = findNext(files, await readApplied(client, files));
  if (next === undefined) return false;
  await client.query(readFileSync(join(FOLDER, next), "utf8"));
  await client.query("insert into schema_migrations (number) values ($1)", [numberOf(next)]);
  return true;
}

/** Returns the numbers of the applied steps. Creates their table where there is none, from the former one if that exists. */
async function readApplied(client: pg.ClientBase, files: string[]): Promise<Set<number>> {
  const tables = await client.query<{ current: boolean; former: boolean }>(
    "select to_regclass('schema_migrations') is not null as current, to_regclass('migrations') is not null as former",
  );
  const [{ current, former } = { current: false, former: false }] = tables.rows;
  if (!current) {
    await client.query(
      "create table schema_migrations (number integer primary key, applied_at timestamptz not null default now())",
    );
    if (former) await replaceFormerRecord(client, files);
  }
  const done = await client.query<{ number: number }>("select number from schema_migrations");
  return new Set(done.rows.map((row) => row.number));
}

/**
 * Records the baseline as applied on a database on which all former files were. Drops the former table, so that a version
 * from before the baseline finds no record, fails at its first file and changes nothing.
 */
async function replaceFormerRecord(client: pg.ClientBase, files: string[]): Promise<void> {
  const { rows } = await client.query<{ number: number }>("select number from migrations");
  const applied = new Set(rows.map((row) => row.number));
  const unknown = [...applied].find((number) => !FORMER.includes(number));
  if (unknown !== undefined) throw madeByOther(unknown);
  const missing = FORMER.filter((number) => !applied.has(number));
  if (missing.length > 0) {
    throw new Error(
      `The database was last used by a version of Parley that this one cannot continue from: it has ${applied.size} of the ${FORMER.length} migration steps that came before the baseline (the first missing one is ${missing[0]}). Start commit ${LAST_WITH_FORMER} of Parley on it once, which applies the others, then start this version. Nothing was changed.`,
    );
  }
  await client.query("insert into schema_migrations (number) select unnest($1::int[])", [
    files.map(numberOf).filter((number) => number <= BASELINE),
  ]);
  await client.query("drop table migrations");
}

function numberOf(file: string): number {
  return Number(file.slice(0, 4));
}

function findNext(files: string[], applied: ReadonlySet<number>): string | undefined {
  const known = new Set(files.map(numberOf));
  const unknown = [...applied].find((number) => !known.has(number));
  if (unknown !== undefined) throw madeByOther(unknown);
  return files.find((file) => !applied.has(numberOf(file)));
}

function madeByOther(step: number): Error {
  return new Error(
    `The database was migrated by a newer version of Parley (step ${step} is not known to this one). Use that version, or restore a backup.`,
  );
}
