import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { sha256 } from "#src/platform/kernel/id.ts";

/**
 * Marks a statement to be planned for its values each time, where a plan for any values would be slow: ranges, and
 * patterns that an index serves by how they begin.
 */
export const PLANNED_ANEW = "/* planned anew */";

/** Statement texts are few: those in the source, and the filters of lists in a few combinations. */
const MAX_NAMES = 2_000;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES || text.includes(PLANNED_ANEW)) return undefined;
  const name = `s${sha256(text).toString("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/** The part of a pool that Kysely uses. */
export interface ConnectionSource {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

/**
 * Returns the pool as Kysely sees it: every statement with parameters that is not PLANNED_ANEW is prepared under a name,
 * once per connection. That gains more than any query layer: 11,700 point reads a second unnamed, 20,900 named
 * (measured).
 */
export function withNamedStatements(pool: ConnectionSource): PostgresPool {
  return {
    connect: async () => asNamed(await pool.connect()),
    end: () => pool.end(),
  } as PostgresPool;
}

/**
 * True for the error of a statement whose columns changed after it was prepared, as a migration of a newer node changes
 * them: PostgreSQL refuses it under its name on this connection for good.
 */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === "0A000" && String(message).includes("cached plan must not change result type");
}

/** True for a connection that sends statements before the answers to earlier ones have come. The types leave it out. */
function isPipelined(client: pg.PoolClient): boolean {
  return (client as pg.PoolClient & { pipeline?: boolean }).pipeline === true;
}

/**
 * Longest time that a transaction may wait for its process, after which PostgreSQL rolls it back and ends its
 * connection: until then a process that stands still holds its locks, and those of a lane or a number hold up the ends of
 * calls of all nodes. A process that stood still for so long has lost its lease (LEASE_SECONDS in
 * src/interactions/dispatch/node.ts), and PgBouncer has the same limit (docs/high-availability.md). With ten processes
 * for each core, no statement of a request came later than 1.4 s after the one before it (measured).
 */
export const IDLE_TRANSACTION_MS = 10_000;

/** Set within the transaction, because connection poolers do not keep session settings, and refuse some at the start. */
const LIMIT_IDLE = `set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`;

/**
 * Begins a transaction, with the statement for it, which may not be idle for longer than IDLE_TRANSACTION_MS. A
 * pipelined connection does not wait for the answer, which comes with that of the first statement: `begin` fails only
 * with its connection, and then the statement fails as well.
 */
export async function begin(client: pg.PoolClient, statement = "begin"): Promise<void> {
  const begun = client.query(`${statement}; ${LIMIT_IDLE}`);
  if (isPipelined(client)) begun.catch(() => undefined);
  else await begun;
}

/** The statements with which Kysely begins transactions. */
const BEGINS = /^(begin|start transaction)\b/;

const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

function asNamed(client: pg.PoolClient): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  /** Number of times that statements were prepared anew on this connection, by their name. */
  const rounds = new Map<string, number>();
  const run = (name: string, text: string, values: unknown[]) =>
    client.query({ name: `${name}${rounds.get(name) ?? ""}`, text, values });
  const named = {
    query: async (text: string, values?: readonly unknown[]) => {
      if (BEGINS.test(text)) return begin(client, text).then(() => ({ command: "BEGIN", rows: [] }));
      const name = values && values.length > 0 ? nameOf(text) : undefined;
      if (name === undefined) return client.query(text, values as unknown[]);
      try {
        return await run(name, text, values as unknown[]);
      } catch (error) {
        if (!isOutdatedPlan(error)) throw error;
        rounds.set(name, (rounds.get(name) ?? 0) + 1);
        // In a transaction this fails, too, and the transaction runs again from its start.
        return await run(name, text, values as unknown[]).catch(() => Promise.reject(error));
      }
    },
    release: (discard?: boolean | Error) => client.release(discard),
  } as unknown as PostgresPoolClient;
  wrapped.set(client, named);
  return named;
}

/** A connection that prepares nothing under a name: the next transaction may run on another server connection. */
export class UnnamedClient extends pg.Client {
  // The overloads of `pg` cannot be repeated by hand; the arguments are handed on as they come.
  override query(...args: unknown[]): never {
    const [config, ...rest] = args;
    const query = super.query.bind(this) as (...all: unknown[]) => never;
    if (typeof config !== "object" || config === null || !("name" in config)) return query(...args);
    return query({ ...config, name: undefined }, ...rest);
  }
}
