import pg from "pg";

/** As long as a start waits for any connection. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Returns true when something between this process and PostgreSQL hands connections on, as PgBouncer does: the process
 * number that a connection is told at its start is made up by a pooler, and PostgreSQL itself says another one. Rejects
 * when the database cannot be reached.
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
