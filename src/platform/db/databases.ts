import { type Connection, type Database, openDatabase, type PoolSize } from "./database.ts";
import { FairPool } from "./fair-pool.ts";
import { breakLostConnections, SILENCE_MS } from "./lost-connections.ts";

/**
 * The pools of a process, one for each purpose, so that no purpose can take the connections of another: uploads of one
 * workspace once cost a node its heartbeat. The sizes are upper bounds: connections are opened when needed and closed
 * after a minute without use, those of tasks after seconds.
 */
export interface Databases {
  /** The heartbeat of this node, and nothing else. */
  readonly lease: Database;
  /**
   * Work that somebody on the line waits for: claims, dials, carriers' events, live sessions and their checkpoints,
   * ends of calls, turns of chats.
   */
  readonly dispatch: Database;
  /** Requests of the API and the dashboard. */
  readonly requests: Database;
  /** Admission of requests: credentials, token buckets, and the log of what was admitted. */
  readonly admission: Database;
  /** Tasks of the outbox: webhooks, files, reports, simulations. */
  readonly jobs: Database;
  /** Periodic work that nobody waits for. */
  readonly housekeeping: Database;
  /** Milliseconds since the last heartbeat that the database took, or since the start. */
  awayMs(): number;
  /** Returns the use of each pool now. */
  measure(): PoolUse[];
  /** Settings for threads, which open connections of their own. */
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Use of a pool at one moment. */
export interface PoolUse {
  pool: keyof typeof SIZES;
  /** The most connections that it opens. */
  size: number;
  inUse: number;
  /** Requests for a connection that wait. */
  waiting: number;
}

/** The most connections of each purpose. */
const SIZES = { lease: 1, dispatch: 8, requests: 8, admission: 3, jobs: 5, housekeeping: 1 } as const;

/** The most request connections of one workspace: however many requests it sends, two are left to the others. */
const REQUESTS_PER_WORKSPACE = SIZES.requests - 2;

/**
 * Milliseconds after which an unused connection for tasks is closed: each takes 4 MB, all pools of tasks look at a start,
 * and at rest one connection serves them, because they then look at times of their own.
 */
const JOBS_IDLE_MS = 4_000;

/** The most large lists that a node imports at once: each has a thread, and two connections for its whole length. */
export const IMPORTS_PER_NODE = 2;

/** The most connections of a node, 30: three nodes fit into PostgreSQL's default of 100. */
export const CONNECTIONS_PER_NODE = Object.values(SIZES).reduce((sum, size) => sum + size, 2 * IMPORTS_PER_NODE);

/**
 * Opens all pools of a process. Connects lazily; errors of idle connections go to `onIdleError`, and `onAnswer` is called
 * whenever the database has answered. `silenceMs`: see `breakLostConnections`.
 */
export function openDatabases(
  connection: Connection,
  { onIdleError, onAnswer }: { onIdleError: (error: Error) => void; onAnswer: () => void },
  silenceMs: number = SILENCE_MS,
): Databases {
  const open = (max: number, more: Omit<PoolSize, "max"> = {}): Database =>
    openDatabase(connection, { max, ...more }, onIdleError);
  const pools = {
    lease: open(SIZES.lease),
    dispatch: open(SIZES.dispatch),
    requests: open(SIZES.requests, { perOwner: REQUESTS_PER_WORKSPACE }),
    admission: open(SIZES.admission),
    jobs: open(SIZES.jobs, { idleMs: JOBS_IDLE_MS }),
    housekeeping: open(SIZES.housekeeping),
  };
  let answeredAt = performance.now();
  pools.lease.pool.on("release", (error: Error | undefined) => {
    if (!error) answeredAt = performance.now();
  });
  for (const { pool } of Object.values(pools)) {
    pool.on("release", (error: Error | undefined) => {
      if (!error) onAnswer();
    });
  }
  const { lease, ...others } = pools;
  breakLostConnections(
    lease.pool,
    Object.values(others).map(({ pool }) => pool),
    silenceMs,
  );
  const awayMs = () => performance.now() - answeredAt;
  const measure = () =>
    Object.entries(pools).map(([name, { pool }]): PoolUse => {
      const key = name as keyof typeof SIZES;
      const waiting = pool.waitingCount + (pool instanceof FairPool ? pool.waitingTurns : 0);
      return { pool: key, size: SIZES[key], inUse: pool.totalCount - pool.idleCount, waiting };
    });
  const close = async () => {
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  };
  return { ...pools, connection, awayMs, measure, close };
}
