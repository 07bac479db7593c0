import pg from "pg";
import type { Migration } from "#src/platform/db/migration-files.ts";
import type { TestDatabase } from "./database.ts";

/** Tables that stay small, three of them with one row. */
const SMALL = [
  "nodes",
  "periodic_tasks",
  "result_backfill",
  "result_filling",
  "result_listing",
  "schema_migrations",
  "settings",
  "workspaces",
];

/** Locks that keep others from writing rows. */
const KEEPING_OUT = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];

/** A statement that would take long in an installation with many rows. */
export interface Fault {
  file: string;
  statement: string;
  table: string;
  lock: string;
}

interface Use {
  table: string;
  /** Sequential scans that the transaction began. */
  scans: number;
  /** Number of the file that holds the rows: another one means that all rows were written anew. */
  filenode: number;
  locks: string[];
}

/**
 * Runs a migration in a database, statement by statement, and finds those that work through a whole table, by its scans
 * and its file, while they change its rows or keep writers of any table out. That takes as long as there are rows,
 * whether the database of the test has any or not.
 */
export async function findFaults(database: TestDatabase, { file, text, isConcurrent }: Migration): Promise<Fault[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const faults: Fault[] = [];
  try {
    if (isConcurrent) {
      for (const statement of splitStatements(text)) await client.query(statement);
      return [];
    }
    await client.query("begin");
    let before = await readUse(client);
    const existing = before.keys().toArray();
    for (const statement of splitStatements(text)) {
      await client.query(statement);
      const after = await readUse(client, existing);
      faults.push(...judge(before, after).map(({ table, lock }) => ({ file, statement, table, lock })));
      before = after;
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
  return faults;
}

function judge(before: ReadonlyMap<string, Use>, after: ReadonlyMap<string, Use>): { table: string; lock: string }[] {
  const all = [...after.values()];
  const keeping = all.flatMap(({ table, locks }) =>
    locks.filter((lock) => KEEPING_OUT.includes(lock)).map((lock) => `${lock} of ${table}`),
  );
  return all.flatMap(({ table, scans, filenode, locks }) => {
    const former = before.get(table);
    const isWorkedThrough = scans > (former?.scans ?? 0) || filenode !== former?.filenode;
    const lock = keeping[0] ?? locks.find((one) => one === "RowExclusiveLock");
    return isWorkedThrough && lock !== undefined ? [{ table, lock }] : [];
  });
}

/** Reads the use that the transaction has made of all tables but the small ones, or of these. */
async function readUse(client: pg.Client, names: string[] | null = null): Promise<Map<string, Use>> {
  const { rows } = await client.query<Use>(
    `select c.relname as table, pg_stat_get_xact_numscans(c.oid)::int as scans, pg_relation_filenode(c.oid)::int as filenode,
            array(select mode from pg_locks where relation = c.oid and pid = pg_backend_pid()
                   and database = (select oid from pg_database where datname = current_database())) as locks
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1::text[])
        and ($2::text[] is null or c.relname = any ($2::text[]))`,
    [SMALL, names],
  );
  return new Map(rows.map((use) => [use.table, use]));
}

/** Splits a file at the semicolons that are in no text, no function body and no comment. */
export function splitStatements(text: string): string[] {
  const parts = text.matchAll(/--.*$|\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'|;|[^;$'-]+|[$-]/gm);
  const statements = [""];
  for (const [part] of parts) {
    if (part === ";") statements.push("");
    else if (!part.startsWith("--")) statements[statements.length - 1] += part;
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
