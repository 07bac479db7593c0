import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
  type Transaction,
  type TransactionBuilder,
} from "kysely";
import pg from "pg";
import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { FairPool } from "./fair-pool.ts";
import { begin, IDLE_TRANSACTION_MS, isOutdatedPlan, UnnamedClient, withNamedStatements } from "./named-statements.ts";

/** A connection that statements run on: the database itself, or one of its transactions. */
export type Executor = Kysely<unknown> | Transaction<unknown>;
export type { CompiledQuery };
export { sql };

/** A pool of connections that serves one purpose. */
export interface Database {
  /** Statements and transactions (`RetriedDatabase`). */
  readonly db: Kysely<unknown>;
  /** The same pool, for the hot statements, which are named and prepared. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Settings with which a process connects to PostgreSQL. */
export interface Connection extends pg.PoolConfig {
  /**
   * True behind a pooler that gives each transaction another connection (PgBouncer in transaction mode). Statements are
   * not prepared under names then, because a name would exist on one of the connections only.
   */
  pooled?: boolean;
  /** True for the server that Parley runs itself, on its own machine. */
  embedded?: boolean;
}

/** The most connections of a pool. */
export interface PoolSize {
  max: number;
  /** The most connections of one owner (`runAsOwner`); absent: first come, first served. */
  perOwner?: number;
  /** Milliseconds after which a connection without use is closed; a minute when left out. */
  idleMs?: number;
  /** True for a connection that streams rows by COPY, which a pipelined one cannot. */
  streams?: true;
}

// Counters are int8 on the wire; every one of ours stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens a pool of at most `max` connections. Connects lazily; errors of idle connections go to `onIdleError`. */
export function openDatabase(
  { pooled = false, embedded: _, ...connection }: Connection,
  { max, perOwner, streams, idleMs = 60_000 }: PoolSize,
  onIdleError: (error: Error) => void,
): Database {
  const config: pg.PoolConfig = {
    ...connection,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleMs,
    application_name: "parley",
    // A transaction begins in the round trip of its first statement (`withNamedStatements`).
    pipeline: !pooled && !streams,
    ...(pooled ? { Client: UnnamedClient } : {}),
  };
  const pool = perOwner === undefined ? new pg.Pool(config) : new FairPool(config, { slots: max, perKey: perOwner });
  let closing = false;
  pool.on("error", (error: Error) => {
    if (!closing) onIdleError(error);
  });
  // The pool listens only while a connection is idle. One that breaks in use has already failed its query; without a
  // listener of its own it would end the process as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new RetriedDatabase({ dialect: new PostgresDialect({ pool: withNamedStatements(pool) }) });
  return {
    db,
    pool,
    async close() {
      closing = true;
      await db.destroy().catch(() => undefined);
    },
  };
}

/** Returns all rows of a statement. */
export async function all<Row>(executor: Executor, statement: RawBuilder<unknown>): Promise<Row[]> {
  const result = await statement.execute(executor);
  return result.rows as Row[];
}

/** Returns the first row of a statement, if there is one. */
export async function first<Row>(executor: Executor, statement: RawBuilder<unknown>): Promise<Row | undefined> {
  return (await all<Row>(executor, statement))[0];
}

/** Locks a name, made of parts, until the transaction ends. Others that lock the same name wait. */
export async function lockName(tx: Executor, ...parts: string[]): Promise<void> {
  await all(tx, sql`select pg_advisory_xact_lock(hashtextextended(${parts.join("|")}, 0))`);
}

/**
 * First part of a `with` for a statement whose commit alone does not wait for the disk; the statement reads from
 * `not_flushed`. The next commit of this process that waits makes it safe as well. Set within the statement, because
 * connection poolers do not keep session settings; materialized, so that it is evaluated once.
 */
export const NOT_FLUSHED = "not_flushed as materialized (select set_config('synchronous_commit', 'off', true))";

/**
 * Waits within a transaction for as long as it takes, with statements in between: they say that the process is alive, so
 * that the transaction is not taken for that of one that stands still (IDLE_TRANSACTION_MS). For those that hold nothing
 * for which others wait.
 */
export async function awaitWithin<T>(tx: Executor, awaited: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const stop = () => settled.abort();
  void awaited.then(stop, stop);
  while (!settled.signal.aborted) {
    await sleep(IDLE_TRANSACTION_MS / 4, settled.signal).catch(() => undefined);
    if (!settled.signal.aborted) await all(tx, sql`select`);
  }
  return awaited;
}

const RETRYABLE = new Set(["40P01", "40001"]);

/** Runs statements in one transaction on a connection of their own; rejects with their error after a rollback. */
export async function inTransaction<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await begin(client);
    const result = await run(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failed: unknown) => (fault = toError(failed)));
    throw error;
  } finally {
    client.release(fault);
  }
}

/**
 * Runs statements again when PostgreSQL chose them as the victim of a deadlock, or a table got other columns since they
 * were prepared; at most six times.
 */
export async function retryTransient<T>(run: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await run();
    } catch (error) {
      if (round >= 5 || !(RETRYABLE.has(codeOf(error) ?? "") || isOutdatedPlan(error))) throw error;
      await sleep(5 * 2 ** round);
    }
  }
}

/**
 * A database whose transactions run again from their start when PostgreSQL chose them as the victim of a deadlock. So
 * what is given to `transaction().execute` changes nothing but the database. A builder with settings of its own
 * (`setIsolationLevel`) runs once.
 */
export class RetriedDatabase extends Kysely<unknown> {
  override transaction(): TransactionBuilder<unknown> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    const retried: typeof execute = (work) => retryTransient(() => execute(work));
    return Object.assign(builder, { execute: retried });
  }
}

/**
 * Errors of the network, too many connections, a write to a server that was the primary until a failover, and a
 * transaction that was rolled back because this process stood still in it.
 */
const UNAVAILABLE = new Set(
  "ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH EAI_AGAIN EPIPE ETIMEDOUT 53300 25006 25P03".split(" "),
);

/** True when the database could not be reached or is going away, so that trying again later may help. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (/^(08|57P)/.test(code) || UNAVAILABLE.has(code)) return true;
  // The server's socket is not there; a file that is not there means something else.
  if (code === "ENOENT") return (error as NodeJS.ErrnoException).syscall === "connect";
  const message = error instanceof Error ? error.message : "";
  return BROKEN.test(message) || message.includes("timeout exceeded when trying to connect");
}

/** Messages of the driver about a connection that broke. */
const BROKEN = /Connection terminated|Client has encountered a connection error|driver has already been destroyed/;

/** Messages of PostgreSQL while it stops, starts or recovers. */
const NOT_READY = /^(terminating connection due to|the database system is)\b/;

/**
 * Returns whether the message of an error says that the database of a connection is away. A refused or lost connection
 * to another address says nothing of it, and neither does a wait for a connection that others use.
 */
export function saysAway({ connectionString, host, port }: Connection): (message: string) => boolean {
  const url = URL.parse(connectionString ?? "");
  const number = url ? url.port || url.searchParams.get("port") || "5432" : (port ?? 5432);
  const name = (url ? url.hostname : host) ?? "";
  const refused = new RegExp(`connect E[A-Z]+ \\S*[:.]${number}\\b`);
  return (message) =>
    BROKEN.test(message) ||
    NOT_READY.test(message) ||
    refused.test(message) ||
    (name !== "" && message.startsWith("getaddrinfo ") && message.endsWith(` ${name}`));
}

/** Longest pause between two tries of a statement that waits for the database. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Runs a statement that may be repeated, again and again while the database is unavailable. Rejects with its error when
 * that has another cause, and with the signal's reason when it aborts.
 */
export async function untilAvailable<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await sleep(pauseMs, signal);
    }
  }
}

/** True when a write was refused because a row with its unique values is there. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** True when PostgreSQL or the file system has no space left. */
export function isDiskFull(error: unknown): boolean {
  return ["53100", "ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");
}
