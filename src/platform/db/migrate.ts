import type pg from "pg";
import { sleep } from "#src/platform/kernel/async.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { inTransaction } from "./database.ts";
import { type Migration, readIndexStatements, readMigrations } from "./migration-files.ts";

/** Key of the advisory lock that lets one node migrate at a time; any fixed number will do. */
const LOCK = 7_279_531;
/** Longest wait of a step for a lock on a table, and so of those who come after it. */
const LOCK_TIMEOUT_MS = 300;
/** Time between two tries. */
const POLL_MS = 200;
/** PgBouncer and roles may end a transaction that is idle for some seconds (docs/high-availability.md: 10). */
const BUSY_MS = 1_000;
/** Vacuum of a large table may hold its lock for many minutes. */
const GIVE_UP_MS = 1_800_000;
/** Codes of PostgreSQL for a lock that was not granted in time, and for a deadlock. */
const LOCK_FAULTS = new Set(["55P03", "40P01"]);
/** Code of PostgreSQL for a table that is not there. */
const NO_TABLE = "42P01";
/** Beginning of the names of the settings that record steps which older versions cannot run beside. */
const CONTRACT_NAME = "contract_step ";
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
 * connection to another client. No step waits for a lock on a table for longer than LOCK_TIMEOUT_MS, because everybody
 * who comes after it waits as long: it gives up and tries again. Indexes that are built while others write have files of
 * their own, outside a transaction.
 *
 * Refuses a database from which a newer version has removed what this one uses, and one on which the files before the
 * baseline were not all applied. Returns the number of the last step.
 */
export async function migrate(
  pool: pg.Pool,
  log?: Log,
  steps: readonly Migration[] = readMigrations(),
): Promise<number> {
  if (await isUpToDate(pool, steps)) return steps.at(-1)?.number ?? 0;
  for (let since = new Elapsed(); ;) {
    const result = await tryNext(pool, steps);
    if (result === "DONE") return steps.at(-1)?.number ?? 0;
    if (result === "APPLIED") since = new Elapsed();
    else if (result !== "OTHER_NODE") await waitForLocks(result, since, log);
    else await sleep(POLL_MS);
  }
}

/**
 * Brings the schema up to date in the caller's transaction, which then holds the lock to its end; with `only`, up to
 * exactly these steps. Throws for a step that has no file.
 */
export async function migrateWithin(client: pg.ClientBase, only?: readonly number[]): Promise<void> {
  const steps = readMigrations();
  if (only) assertKnown(only, steps);
  const wanted = steps.filter(({ number }) => only?.includes(number) ?? true);
  await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  for (const step of await findMissing(client, wanted)) {
    await client.query(step.isConcurrent ? step.text.replaceAll(/\bconcurrently\b/gi, "") : step.text);
    await record(client, step);
  }
}

/** Throws for a step that has no file. */
export function assertKnown(numbers: readonly number[], steps: readonly Migration[] = readMigrations()): void {
  const unknown = numbers.find((number) => !steps.some((step) => step.number === number));
  if (unknown !== undefined) throw madeByOther(unknown);
}

/** Returns the steps that a database lacks, in their order, whatever their numbers: steps developed in parallel may land in any order. */
export async function findMissing(client: Queries, steps: readonly Migration[]): Promise<Migration[]> {
  const applied = await readApplied(client, steps);
  await refuseContracts(
    client,
    [...applied].filter((number) => !steps.some((step) => step.number === number)),
  );
  return steps.filter(({ number }) => !applied.has(number));
}

/** True when just these steps are applied: most starts find that, and need no lock. */
async function isUpToDate(client: Queries, steps: readonly Migration[]): Promise<boolean> {
  try {
    const { rows } = await client.query<{ number: number }>("select number from schema_migrations");
    const applied = new Set(rows.map(({ number }) => number));
    return applied.size === steps.length && steps.every(({ number }) => applied.has(number));
  } catch (error) {
    if (codeOf(error) === NO_TABLE) return false;
    throw error;
  }
}

/** Result of a try: the file whose locks it did not get, or DONE when nothing is missing. */
type Tried = "DONE" | "APPLIED" | "OTHER_NODE" | { file: string };

/**
 * Applies the first missing step, if no other node applies one. It asks for the advisory lock and does not wait in the
 * database for it: an index that is built concurrently waits for every statement that runs, so for those that wait, too.
 */
async function tryNext(pool: pg.Pool, steps: readonly Migration[]): Promise<Tried> {
  let file = "";
  try {
    return await inTransaction(pool, async (client) => {
      const lock = await client.query<{ is_ours: boolean }>("select pg_try_advisory_xact_lock($1) as is_ours", [LOCK]);
      if (!lock.rows[0]?.is_ours) return "OTHER_NODE";
      const [next] = await findMissing(client, steps);
      if (!next) return "DONE";
      ({ file } = next);
      await (next.isConcurrent ? keepBusy(client, buildIndexes(pool, next)) : applyWithin(client, next));
      await record(client, next);
      return "APPLIED";
    });
  } catch (error) {
    if (file && LOCK_FAULTS.has(codeOf(error) ?? "")) return { file };
    throw error;
  }
}

async function applyWithin(client: pg.ClientBase, { text }: Migration): Promise<void> {
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(text);
}

/** Keeps a transaction, and the lock that it holds, from ending as idle while work goes on elsewhere. */
async function keepBusy(client: pg.ClientBase, work: Promise<void>): Promise<void> {
  // A transaction that has ended all the same fails its next statement.
  const timer = setInterval(() => void client.query("select 1").catch(() => undefined), BUSY_MS);
  return work.finally(() => clearInterval(timer));
}

/**
 * Builds and drops indexes on a connection without a transaction. One that was left half-built by a crash is dropped
 * first; one that is whole stays.
 */
async function buildIndexes(pool: pg.Pool, step: Migration): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, action, index } of readIndexStatements(step)) {
      const found = await client.query<{ is_valid: boolean }>(
        "select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)",
        [index],
      );
      const isValid = found.rows[0]?.is_valid;
      if (action === "drop" ? isValid === undefined : isValid === true) continue;
      if (action === "create" && isValid === false) await client.query(`drop index concurrently ${index}`);
      await client.query(text);
    }
  } finally {
    client.release();
  }
}

/** Waits until a step may try again; throws when it has tried for half an hour. */
async function waitForLocks({ file }: { file: string }, since: Elapsed, log: Log | undefined): Promise<void> {
  if (since.ms > GIVE_UP_MS) {
    throw new Error(
      `The migration ${file} got no lock on its tables for half an hour. Look in pg_stat_activity for the transaction that stays open, end it, and start again. Nothing of this step was applied.`,
    );
  }
  log?.info("A migration waits for a lock and tries again.", { file });
  await sleep(POLL_MS + Math.random() * POLL_MS);
}

async function record(client: Queries, { number, phase }: Migration): Promise<void> {
  await client.query("insert into schema_migrations (number) values ($1)", [number]);
  if (phase === "EXPAND") return;
  await client.query("insert into settings (name, value) values ($1, '')", [CONTRACT_NAME + number]);
}

/** Throws when a newer version has removed something with one of these steps. */
async function refuseContracts(client: Queries, unknown: readonly number[]): Promise<void> {
  const [contract] = unknown.length === 0 ? [] : await findContracts(client, unknown);
  if (contract !== undefined) throw madeByOther(contract);
}

/** Returns those of these steps that a newer version recorded as ones that older versions cannot run beside. */
export async function findContracts(client: Queries, steps: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>("select name from settings where name = any ($1::text[])", [
    steps.map((number) => CONTRACT_NAME + number),
  ]);
  return rows.map(({ name }) => Number(name.slice(CONTRACT_NAME.length)));
}

type Queries = Pick<pg.ClientBase, "query">;

/** Returns the numbers of the applied steps. Creates their table where there is none, from the former one if that exists. */
async function readApplied(client: Queries, steps: readonly Migration[]): Promise<Set<number>> {
  const tables = await client.query<{ current: boolean; former: boolean }>(
    "select to_regclass('schema_migrations') is not null as current, to_regclass('migrations') is not null as former",
  );
  const [{ current, former } = { current: false, former: false }] = tables.rows;
  if (!current) {
    await client.query(
      "create table schema_migrations (number integer primary key, applied_at timestamptz not null default now())",
    );
    if (former) await replaceFormerRecord(client, steps);
  }
  const done = await client.query<{ number: number }>("select number from schema_migrations");
  return new Set(done.rows.map((row) => row.number));
}

/**
 * Records the baseline as applied on a database on which all former files were. Drops the former table, so that a version
 * from before the baseline finds no record, fails at its first file and changes nothing.
 */
async function replaceFormerRecord(client: Queries, steps: readonly Migration[]): Promise<void> {
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
    steps.map(({ number }) => number).filter((number) => number <= BASELINE),
  ]);
  await client.query("drop table migrations");
}

function madeByOther(step: number): Error {
  return new Error(
    `The database was migrated by a newer version of Parley (step ${step} is not known to this one). Use that version, or restore a backup.`,
  );
}
