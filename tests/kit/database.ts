import { randomBytes } from "node:crypto";
import pg from "pg";

/** A database of a test's own, cloned from the migrated template. */
export interface TestDatabase {
  url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Opens a pool that does not mind when its database is dropped, which ends it. */
  pool(options?: pg.PoolConfig): pg.Pool;
  /** Keeps everybody from writing to these tables; gives what lets go of them. */
  hold(tables: string): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

/** Clones the migrated template, or another one: template0 is empty. */
export async function createDatabase(template = "parley_test_template"): Promise<TestDatabase> {
  const server = process.env.PARLEY_TEST_SERVER;
  if (!server) throw new Error("tests/kit/global-setup.ts has not run");
  const name = `parley_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, (client) => cloneTemplate(client, name, template));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pools: pg.Pool[] = [];
  // A pool that ended may still be told that the drop cut its connections: `end` does not wait for their close.
  const open = (options: pg.PoolConfig = {}) => {
    const made = new pg.Pool({ connectionString: url.href, max: 2, ...options });
    pools.push(made.on("error", () => undefined));
    return made;
  };
  const pool = open();
  return {
    url: url.href,
    pool: open,
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows;
    },
    async hold(tables) {
      const client = await pool.connect();
      await client.query(`begin; lock table ${tables} in exclusive mode`);
      let isHeld = true;
      return async () => {
        if (!isHeld) return;
        isHeld = false;
        await client.query("rollback");
        client.release();
      };
    },
    async drop() {
      await Promise.all(pools.filter(({ ending }) => !ending).map((each) => each.end()));
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/**
 * Two clones at once find the template busy; the lock makes them take turns. Copying the files costs a third of what
 * the default does, which writes each page to the log.
 */
async function cloneTemplate(client: pg.Client, name: string, template: string): Promise<void> {
  await client.query("select pg_advisory_lock(4711)");
  await client.query(`create database ${name} template ${template} strategy file_copy`);
}

async function onServer(server: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
