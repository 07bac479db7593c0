import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";

/** Executions of one statement on one day. */
export interface StatementUse {
  text: string;
  calls: number;
  ms: number;
  maxMs: number;
  /** Pages of 8 kB that it looked at, whether they were in memory or not. */
  blocks: number;
}

/** A table at the end of a day. */
export interface TableSize {
  rows: number;
  /** With its indexes. */
  bytes: number;
}

/** One day of the soak, as it was measured at its end. */
export interface DaySample {
  day: number;
  /** Memory of the server's processes, in megabytes. */
  nodeMb: number;
  postgresMb: number;
  /** CPU seconds of the day. */
  nodeSeconds: number;
  postgresSeconds: number;
  /** CPU seconds of everything else on this machine but the soak, for which the server had to wait. */
  otherSeconds: number;
  p50: number;
  p99: number;
  connections: number;
  /** The last statements of connections that nobody has used since the day before began. */
  unused: string[];
  /** Files of the data folder that are not the database's. */
  files: number;
  statements: Map<string, StatementUse>;
  tables: Map<string, TableSize>;
}

/** Takes what PostgreSQL counted of each statement since the last call, and starts its counters anew. */
export async function takeStatements(client: pg.Client): Promise<Map<string, StatementUse>> {
  const { rows } = await client.query<StatementUse & { id: string }>(
    `select queryid::text as id, min(query) as text, sum(calls)::int as calls, sum(total_exec_time) as ms,
            max(max_exec_time) as "maxMs", sum(shared_blks_hit + shared_blks_read)::float8 as blocks
       from pg_stat_statements where query !~ 'pg_stat_|pg_total_relation_size|vacuum' group by queryid`,
  );
  await client.query("select pg_stat_statements_reset()");
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}

/** Returns the size of each table. The rows are counted: PostgreSQL's own figure is an estimate after each vacuum. */
export async function readTables(client: pg.Client): Promise<Map<string, TableSize>> {
  const { rows: tables } = await client.query<{ text: string }>(
    `select format('select %L as name, count(*)::int as rows, pg_total_relation_size(%s)::float8 as bytes from %I.%I',
                   relname, relid::oid, schemaname, relname) as text from pg_stat_user_tables`,
  );
  const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(
    tables.map(({ text }) => text).join(" union all "),
  );
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

/** Returns the time of the database's clock. */
export async function readClock(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>("select clock_timestamp()::text as now");
  return rows[0]?.now as string;
}

/** Returns the number of others' open connections, and the last statements of those without use since a time. */
export async function readConnections(
  client: pg.Client,
  since: string,
): Promise<Pick<DaySample, "connections" | "unused">> {
  const { rows } = await client.query<{ query: string; isUnused: boolean }>(
    `select query, state_change < $1 as "isUnused" from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    [since],
  );
  return { connections: rows.length, unused: rows.filter(({ isUnused }) => isUnused).map(({ query }) => query) };
}

/** Returns the CPU seconds of all processes of this machine but this one, since the machine's start. */
export function readMachineSeconds(): number {
  const [total = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [, user, nice, system, , , irq, softirq, steal] = total.split(/\s+/).map(Number);
  const own = process.cpuUsage();
  const all = [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0);
  return all / 100 - (own.user + own.system) / 1e6;
}

/** Returns the number of files in a data folder, without those of the database. */
export function countFiles(dataDir: string): number {
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("postgres") && statSync(join(dataDir, name), { throwIfNoEntry: false })?.isFile(),
  ).length;
}
