import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

const FOLDER = new URL("../../../migrations/", import.meta.url).pathname;
/** Key of the advisory lock that lets one node migrate at a time; any fixed number will do. */
const LOCK = 7_279_531;

/**
 * Brings the schema up to date: numbered .sql files, forward only, each in a transaction of its own that holds an
 * advisory lock, so that one node migrates at a time. The lock ends with the transaction, because a pooler may give the
 * connection to another client. Refuses a database that a newer version has migrated further. Returns the number of the
 * last step.
 */
export async function migrate(pool: pg.Pool): Promise<number> {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort();
  while (await applyNext(pool, files));
  return numberOf(files.at(-1) ?? "");
}

/** Applies the first missing step, whatever its number: steps developed in parallel may land in any order. */
async function applyNext(pool: pg.Pool, files: string[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migrations (number integer primary key, applied_at timestamptz not null default now())",
    );
    const done = await client.query<{ number: number }>("select number from migrations");
    const next = findNext(files, new Set(done.rows.map((row) => row.number)));
    if (next !== undefined) {
      await client.query(readFileSync(join(FOLDER, next), "utf8"));
      await client.query("insert into migrations (number) values ($1)", [numberOf(next)]);
    }
    await client.query("commit");
    return next !== undefined;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

function numberOf(file: string): number {
  return Number(file.slice(0, 4));
}

function findNext(files: string[], applied: ReadonlySet<number>): string | undefined {
  const known = new Set(files.map(numberOf));
  const unknown = [...applied].find((number) => !known.has(number));
  if (unknown !== undefined) {
    throw new Error(
      `The database was migrated by a newer version of Parley (step ${unknown} is not known to this one). Start that version, or restore a backup.`,
    );
  }
  return files.find((file) => !applied.has(numberOf(file)));
}
