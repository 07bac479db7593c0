import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PostgresDialect } from "kysely";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Connection, type Database, openDatabase, RetriedDatabase } from "./database.ts";
import { lowerBackend } from "./lower-priority.ts";
import { type ConnectionSource, withNamedStatements } from "./named-statements.ts";

/**
 * One connection for work that streams many rows into the database. Everything runs on it in turn: a statement that is
 * sent while a transaction is open is part of the transaction.
 */
export interface Session {
  readonly db: Database["db"];
  /**
   * Runs a `copy … from stdin` with these pieces (`CopyLines`); within the transaction, if one is open. PostgreSQL
   * stores a piece while the next one is made.
   */
  copy(statement: string, pieces: Iterable<Buffer>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session for work that nobody waits for. Rejects when the database cannot be reached. */
export async function openSession(connection: Connection): Promise<Session> {
  const database = openDatabase(connection, { max: 1, streams: true }, () => undefined);
  const client = await database.pool.connect();
  if (connection.embedded) await lowerBackend(client);
  // Kysely takes the connection for each statement and gives it back; it stays ours.
  const held = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient;
  const shared: ConnectionSource = { connect: () => Promise.resolve(held), end: () => Promise.resolve() };
  const db = new RetriedDatabase({ dialect: new PostgresDialect({ pool: withNamedStatements(shared) }) });
  return {
    db,
    copy: (statement, pieces) => pipeline(Readable.from(pieces), client.query(copyFrom(statement))),
    async close() {
      client.release(true);
      await database.close();
    },
  };
}
