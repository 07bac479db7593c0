import type pg from "pg";
import { expect, vi } from "vitest";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createDatabase } from "./database.ts";

/** Opens a database with one workspace over one connection, for which what a read takes is counted. `close` drops it. */
export async function openForReads(workspaceId: string): Promise<Database> {
  const made = await createDatabase();
  const database = openDatabase({ connectionString: made.url }, { max: 1 }, () => undefined);
  await database.pool.query(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     values ($1, 'w', 'SANDBOX', 1, 1, 1)`,
    [workspaceId],
  );
  const close = async () => {
    await database.close();
    await made.drop();
  };
  return { ...database, close };
}

/** Rows and entries of a table's indexes that were read, and rows that were looked at. */
export interface ReadCost {
  entries: number;
  rows: number;
}

/** Returns what a run reads of a table and of its indexes, as PostgreSQL counts it, over a pool of one connection. */
export async function costOf(pool: pg.Pool, table: string, run: () => Promise<unknown>): Promise<ReadCost> {
  const soFar = async () => {
    await pool.query("select pg_stat_force_next_flush()");
    const found = await pool.query<ReadCost>(
      `select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as entries,
         (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables t where relname = $1`,
      [table],
    );
    return found.rows[0] as ReadCost;
  };
  const before = await soFar();
  await run();
  const after = await soFar();
  return { entries: after.entries - before.entries, rows: after.rows - before.rows };
}

/** Returns what a read takes on average of eight runs: the sixth of a prepared statement may go by a plan that knows no parameter. */
export async function meanCostOf(pool: pg.Pool, table: string, read: () => Promise<unknown>): Promise<ReadCost> {
  const { entries, rows } = await costOf(pool, table, async () => {
    for (let i = 0; i < 8; i++) await read();
  });
  return { entries: entries / 8, rows: rows / 8 };
}

/** Returns the rows or the entries that a read takes on average, whichever are more. */
export async function mostReadOf(pool: pg.Pool, table: string, read: () => Promise<unknown>): Promise<number> {
  const { entries, rows } = await meanCostOf(pool, table, read);
  return Math.max(entries, rows);
}

/** Returns how often a run looks into a table or its indexes. */
export async function looksAt(pool: pg.Pool, table: string, run: () => Promise<unknown>): Promise<number> {
  const soFar = async () => {
    await pool.query("select pg_stat_force_next_flush()");
    const found = await pool.query<{ n: number }>(
      "select (seq_scan + idx_scan)::int as n from pg_stat_user_tables where relname = $1",
      [table],
    );
    return found.rows[0]?.n ?? 0;
  };
  const before = await soFar();
  await run();
  return (await soFar()) - before;
}

/**
 * Vacuums tables until their indexes alone answer. An analysis beside it, such as autovacuum's, keeps rows from being known
 * as visible.
 */
export async function settle(pool: pg.Pool, ...tables: string[]): Promise<void> {
  const isVisible = async (table: string) => {
    await pool.query(`vacuum analyze ${table}`);
    const { rows } = await pool.query<{ unknown: number }>(
      "select relpages - relallvisible as unknown from pg_class where oid = $1::regclass",
      [table],
    );
    expect(rows[0]?.unknown).toBeLessThan(10);
  };
  for (const table of tables) await vi.waitFor(() => isVisible(table), { timeout: 60_000, interval: 200 });
}
