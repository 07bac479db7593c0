import type { Config } from "#src/platform/config/config.ts";
import type { StartKeys } from "#src/platform/config/secret.ts";
import { type Connection, type Database, inTransaction, saysAway } from "#src/platform/db/database.ts";
import { type Databases, openDatabases } from "#src/platform/db/databases.ts";
import { type EmbeddedOptions, startEmbeddedPostgres } from "#src/platform/db/embedded-postgres.ts";
import { migrate } from "#src/platform/db/migrate.ts";
import { isBehindPooler } from "#src/platform/db/pooler.ts";
import { findUnmetNeed } from "#src/platform/db/postgres-needs.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log, ProcessLog } from "#src/platform/kernel/log.ts";
import { createSecretBox, keyIdOf, opensKeyCheck, sealKeyCheck } from "#src/platform/kernel/secret-box.ts";
import { lacksFormerKey, readSealing } from "#src/platform/secrets/rotation.ts";
import type { Closers } from "./closers.ts";

/** An outside reason for a failed start; the message says what to do. */
export class StartError extends Error {}

/** Opens the pools on a database, migrates it and checks it against the secret. */
export async function openAppDatabase(
  config: Config,
  connection: Connection,
  secret: StartKeys,
  log: ProcessLog,
  closers: Closers,
): Promise<Databases> {
  const databases = openDatabases(connection, {
    onIdleError: (error) => log.warn("A database connection broke.", { error: error.message }),
    onAnswer: log.collapse({ name: "The database", isOf: saysAway(connection) }),
  });
  closers.add(() => databases.close());
  const migrated = migrateWith(databases.requests, config, log);
  connectEarly(databases.dispatch, databases.lease, databases.admission);
  await migrated;
  await assertSecret(databases.requests, secret);
  return databases;
}

/** Opens a connection of each pool that the start needs next, beside its first statements: one takes as long as ten. */
function connectEarly(...databases: Database[]): void {
  for (const { pool } of databases) {
    pool.connect().then(
      (client) => client.release(),
      // Its first use tries again, and says why it fails.
      () => undefined,
    );
  }
}

/**
 * Returns the settings of the database, embedded or configured, once it answers. `onHopeless` is called once when an
 * embedded database ended and cannot be started again, `onBegun` when it begins to start.
 */
export async function connectDatabase(
  config: Config,
  log: Log,
  closers: Closers,
  on: Required<Pick<EmbeddedOptions, "onHopeless" | "onBegun">>,
): Promise<Connection> {
  if (config.databaseUrl) return connectToGiven(config.databaseUrl, config.databasePooler, log);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, ...on });
  closers.add(() => embedded.stop());
  return { ...embedded.config, embedded: true };
}

/**
 * Connects to a configured database and detects a pooler, behind which a connection must keep no state, when the
 * settings leave it open.
 */
async function connectToGiven(url: string, setting: boolean | undefined, log: Log): Promise<Connection> {
  const connection = { connectionString: url };
  const pooled = setting ?? (await isBehindPooler(connection).catch(refuseDatabase));
  if (pooled) log.info("The database is reached through a pooler: no statement is prepared under a name.");
  return { ...connection, pooled };
}

function refuseDatabase(thrown: unknown): never {
  throw new StartError(`The database of DATABASE_URL cannot be used: ${toError(thrown).message}`);
}

async function migrateWith(database: Database, config: Config, log: Log): Promise<void> {
  try {
    const unmet = await findUnmetNeed(database.pool);
    if (unmet !== null) throw new StartError(unmet);
    await migrate(database.pool, log);
  } catch (error) {
    if (error instanceof StartError || !config.databaseUrl) throw error;
    refuseDatabase(error);
  }
}

/** Reason of a start without any secret beside a database that has one. */
const NO_SECRET =
  "This database was set up with a secret, and there is none here. Set PARLEY_SECRET to it, or put the file `secret` back into DATA_DIR; stored credentials can only be read with it.";

/**
 * Throws at the start for a wrong PARLEY_SECRET, so that it does not surface with the first webhook that cannot be
 * signed. Chooses the secret that seals.
 */
async function assertSecret({ pool }: Database, { keys, keep }: StartKeys): Promise<void> {
  const box = createSecretBox(keys);
  let { check, rotation } = await readSealing(pool);
  if (check === null) {
    const statement = "insert into settings (name, value) values ('key_check', $1) on conflict do nothing";
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(statement, [sealKeyCheck(box)]);
      // On the disk before the database knows it, and not if another node was first.
      if (rowCount === 1) keep?.();
    });
    ({ check, rotation } = await readSealing(pool));
  }
  // The database, not the settings, says which of two secrets seals: all nodes must agree on it.
  if (check === null || !opensKeyCheck(box, check) || !keys.use(keyIdOf(check))) {
    throw new StartError(
      keep
        ? NO_SECRET
        : "PARLEY_SECRET is not the one this database was set up with. Start with the former secret (the file `secret` in DATA_DIR when none was set); stored credentials can only be read with it.",
    );
  }
  if (!lacksFormerKey(rotation, keys)) return;
  throw new StartError(
    "The secret is being changed, and what is not encrypted anew yet opens with the former one alone. Set PARLEY_SECRET_PREVIOUS to it until `parley secret status` says that nothing is left.",
  );
}
