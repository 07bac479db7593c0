import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

const FOLDER = new URL("../../migrations/", import.meta.url).pathname;
/** Any fixed number: it names the advisory lock that lets one node migrate at a time. */
const LOCK = 7_279_531;

/**
 * Brings the schema up to date: numbered .sql files, forward only, each in its own transaction, under an
 * advisory lock. Refuses a database that a newer version has migrated further.
 */
export async function migrate(pool: pg.Pool): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migrations (number integer primary key, applied_at timestamptz not null default now())",
    );
    const done = await client.query<{ number: number }>("select number from migrations");
    return await applyMissing(client, new Set(done.rows.map((row) => row.number)));
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => undefined);
    client.release();
  }
}

/** Steps made side by side may land in any order, so each one that is missing is applied, not those behind the last. */
async function applyMissing(client: pg.PoolClient, applied: ReadonlySet<number>): Promise<number> {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort();
  const numbers = files.map((name) => Number(name.slice(0, 4)));
  const unknown = [...applied].find((number) => !numbers.includes(number));
  if (unknown !== undefined) {
    throw new Error(
      `The database was migrated by a newer version of Parley (step ${unknown} is not known to this one). Start that version, or restore a backup.`,
    );
  }
  for (const [i, file] of files.entries()) {
    const number = numbers[i] as number;
    if (applied.has(number)) continue;
    await client.query("begin");
    try {
      await client.query(readFileSync(join(FOLDER, file), "utf8"));
      await client.query("insert into migrations (number) values ($1)", [number]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  }
  return numbers.at(-1) ?? 0;
}
