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
    const done = await client.query<{ number: number }>(
      "select coalesce(max(number), 0)::int as number from migrations",
    );
    return await applyAfter(client, done.rows[0]?.number ?? 0);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => undefined);
    client.release();
  }
}

async function applyAfter(client: pg.PoolClient, current: number): Promise<number> {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort();
  const newest = Number(files.at(-1)?.slice(0, 4) ?? 0);
  if (current > newest) {
    throw new Error(
      `The database was migrated by a newer version of Parley (step ${current}; this version knows ${newest}). Start that version, or restore a backup.`,
    );
  }
  for (const file of files) {
    const number = Number(file.slice(0, 4));
    if (number <= current) continue;
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
  return newest;
}
