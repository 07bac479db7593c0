import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "#src/platform/config/config.ts";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { AlreadyRunning, bindOperatorSocket } from "#src/surfaces/operator/socket.ts";
import { BackupError } from "./backup-error.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** Does work on the database of an installation, on a connection of its own; the server may run. */
export async function onDatabase<T>(config: Config, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(findDatabase(config), work);
}

/**
 * Does work on the database of an installation while no server runs on its data folder. The embedded database is
 * created if there is none, and runs for this alone.
 */
export async function onStoppedDatabase<T>(
  config: Config,
  log: Log,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const lock = await bindOperatorSocket(config.dataDir).catch((error: unknown) => {
    if (!(error instanceof AlreadyRunning)) throw error;
    throw new BackupError(`${error.message} Stop it first. Nothing was changed.`);
  });
  try {
    if (config.databaseUrl) return await withClient({ connectionString: config.databaseUrl }, work);
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    try {
      return await withClient(embedded.config, work);
    } finally {
      await embedded.stop();
    }
  } finally {
    await lock.close();
  }
}

function findDatabase({ databaseUrl, dataDir }: Config): pg.ClientConfig {
  if (databaseUrl) return { connectionString: databaseUrl };
  const advice = "Set DATA_DIR or DATABASE_URL as for the server.";
  if (!existsSync(join(dataDir, "postgres"))) throw new BackupError(`There is no database in ${dataDir}. ${advice}`);
  try {
    return findEmbeddedPostgres(dataDir);
  } catch {
    throw new BackupError(
      `The database in ${dataDir} does not run. Start the server, which runs it: npm start. A backup does not disturb it.`,
    );
  }
}

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connection,
    application_name: "parley backup",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that breaks fails the statement in progress; without a listener it would end the process as well.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
