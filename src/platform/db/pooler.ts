import pg from "pg";

/** The same time that a start waits for any connection. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Returns true when a pooler such as PgBouncer stands between this process and PostgreSQL. A pooler makes up the
 * process number that a connection receives at its start, and PostgreSQL itself reports another one. Rejects when the
 * database cannot be reached.
 */
export async function isBehindPooler(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    // BackendKeyData of the protocol; the types of `pg` leave it out.
    const { processID } = client as unknown as { processID: number | null };
    return processID !== rows[0]?.pid;
  } finally {
    await client.end().catch(() => undefined);
  }
}
