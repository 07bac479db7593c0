import type { Config } from "#src/config/config.ts";
import { type Database, openDatabase } from "#src/db/database.ts";
import { startEmbeddedPostgres } from "#src/db/embedded-postgres.ts";
import { migrate } from "#src/db/migrate.ts";
import { toError } from "#src/kernel/errors.ts";
import type { Log } from "#src/kernel/log.ts";
import { opensKeyCheck, sealKeyCheck, type SecretBox } from "#src/kernel/secret-box.ts";

/** Something outside Parley that keeps it from starting; the message says what to do. */
export class StartError extends Error {}

/** Opens the database of the process, embedded or given, brought up to date and checked against the secret. */
export async function openAppDatabase(
  config: Config,
  box: SecretBox,
  log: Log,
  onClose: (close: () => Promise<void>) => void,
): Promise<Database> {
  const connection = await connect(config, log, onClose);
  const database = openDatabase(connection, { main: 16, limiter: 4 }, (error) => {
    log.warn("A database connection broke.", { error: error.message });
  });
  onClose(() => database.close());
  await migrateWith(database, config);
  await assertSecret(database, box);
  return database;
}

async function connect(config: Config, log: Log, onClose: (close: () => Promise<void>) => void) {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  onClose(() => embedded.stop());
  return embedded.config;
}

async function migrateWith(database: Database, config: Config): Promise<void> {
  try {
    const version = await database.pool.query<{ number: number }>(
      "select current_setting('server_version_num')::int as number",
    );
    if ((version.rows[0]?.number ?? 0) < 150_000) throw new StartError("Parley needs PostgreSQL 15 or newer.");
    await migrate(database.pool);
  } catch (error) {
    if (error instanceof StartError || !config.databaseUrl) throw error;
    throw new StartError(`The database of DATABASE_URL cannot be used: ${toError(error).message}`);
  }
}

/** A wrong PARLEY_SECRET is told at the start, not by the first webhook that cannot be signed. */
async function assertSecret({ pool }: Database, box: SecretBox): Promise<void> {
  await pool.query("insert into settings (name, value) values ('key_check', $1) on conflict do nothing", [
    sealKeyCheck(box),
  ]);
  const stored = await pool.query<{ value: Buffer }>("select value from settings where name = 'key_check'");
  const [row] = stored.rows;
  if (row && opensKeyCheck(box, row.value)) return;
  throw new StartError(
    "PARLEY_SECRET is not the one this database was set up with. Start with the former secret (the file `secret` in DATA_DIR when none was set); stored credentials can only be read with it.",
  );
}
