import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { fillWithCalls } from "#kit/filled-workspace.ts";
import { startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { migrate } from "#src/platform/db/migrate.ts";
import { readMigrations } from "#src/platform/db/migration-files.ts";
import { createLog } from "#src/platform/kernel/log.ts";

type Print = (line: string) => void;

const DEFAULT_CALLS = 1_000_000;
/** Number of the last file of the baseline. */
const BASELINE = 12;
const WORKSPACE = "01900000-0000-7000-8000-000000000000";
const WRITERS = 8;
const ALONE_MS = 10_000;

/**
 * Measures how long writers wait while all migrations after the baseline run in a database with a million calls
 * (`--rows=N`): eight connections update rows of calls without a pause. Uses the embedded PostgreSQL in a folder of its
 * own.
 */
export async function benchMigrations(print: Print): Promise<void> {
  const calls = Number(/--rows=(\d+)/.exec(process.argv.join(" "))?.[1] ?? DEFAULT_CALLS);
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-migrations-"));
  const embedded = await startEmbeddedPostgres({ dataDir: join(folder, "data"), log: createLog("error") });
  const pool = new pg.Pool({ ...embedded.config, max: WRITERS + 4 });
  // The end of the server may come before that of a connection.
  pool.on("error", () => undefined);
  try {
    const steps = readMigrations();
    await migrate(
      pool,
      undefined,
      steps.filter(({ number }) => number <= BASELINE),
    );
    const ids = await fill(pool, embedded.config, calls);
    print(`Migrations: ${calls} calls, ${WRITERS} writers without a pause.`);
    const alone = new Writers(pool, ids);
    await new Promise((resolve) => setTimeout(resolve, ALONE_MS));
    print(`  before: ${await alone.stop()}`);
    const meanwhile = new Writers(pool, ids);
    const since = performance.now();
    await migrate(pool);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    print(`  during ${steps.length - BASELINE} migrations in ${seconds} s: ${await meanwhile.stop()}`);
  } finally {
    await pool.end();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills the schema of the baseline; returns the ids of some calls. */
async function fill(pool: pg.Pool, config: pg.ClientConfig, calls: number): Promise<string[]> {
  await pool.query(
    "insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds) values ($1, 'Bench', 'SANDBOX', 1, 1, 1)",
    [WORKSPACE],
  );
  await pool.query(
    `insert into phone_numbers (workspace_id, id, number, provider, status, max_concurrent_calls)
     values ($1, $1, '+14155550100', 'SANDBOX', 'ACTIVE', 10)`,
    [WORKSPACE],
  );
  const client = new pg.Client(config);
  await client.connect();
  try {
    await fillWithCalls(client, WORKSPACE, calls);
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
  const { rows } = await pool.query<{ id: string }>("select id from call_rows order by random() limit 10000");
  return rows.map(({ id }) => id);
}

/** Connections that update calls, each one after the other, and how long each update took. */
class Writers {
  readonly #stop = new AbortController();
  readonly #took: number[] = [];
  readonly #running: Promise<unknown>;

  constructor(pool: pg.Pool, ids: readonly string[]) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, i) => this.#write(pool, ids, i)));
  }

  async #write(pool: pg.Pool, ids: readonly string[], from: number): Promise<void> {
    for (let i = from; !this.#stop.signal.aborted; i += WRITERS) {
      const since = performance.now();
      await pool.query("update call_rows set updated_at = now() where workspace_id = $1 and id = $2", [
        WORKSPACE,
        ids[i % ids.length],
      ]);
      this.#took.push(performance.now() - since);
    }
  }

  /** Ends them and describes their waits. */
  async stop(): Promise<string> {
    this.#stop.abort();
    await this.#running;
    const sorted = this.#took.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
    return `${sorted.length} updates, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
  }
}
