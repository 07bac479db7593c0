import { existsSync } from "node:fs";
import type pg from "pg";
import type { Config } from "#src/platform/config/config.ts";
import { findKeyRing } from "#src/platform/config/secret.ts";
import { findUnmetNeed } from "#src/platform/db/postgres-needs.ts";
import { measureDisk } from "#src/platform/files/storage-fault.ts";
import { createSecretBox, opensKeyCheck } from "#src/platform/kernel/secret-box.ts";
import { readVersion } from "#src/platform/kernel/version.ts";
import { lacksFormerKey, readRotation } from "#src/platform/secrets/rotation.ts";
import { readLastBackup } from "#src/surfaces/backup/last-backup.ts";
import { type PendingStep, readSchema, type SchemaState } from "./pending.ts";
import { findDoubtfulSettings } from "./settings.ts";

/** One check; a FAULT speaks against the upgrade, a WARNING for looking. */
export interface UpgradeFinding {
  name: string;
  level: "OK" | "WARNING" | "FAULT";
  message: string;
}

/** A node of the installation. */
export interface LiveNode {
  address: string | null;
  /** Null: from before versions were stored. */
  version: string | null;
}

/** Findings about the upgrade of an installation to this version. */
export interface UpgradeCheck {
  version: string;
  findings: UpgradeFinding[];
  migrations: PendingStep[];
  nodes: LiveNode[];
}

type Finding = Omit<UpgradeFinding, "name">;

const LOW_DISK_BYTES = 1024 ** 3;
const OLD_BACKUP_MS = 2 * 86_400_000;
const DAY_MS = 86_400_000;

/** Compares this version with the database of a running installation and its settings. Changes nothing. */
export async function checkUpgrade(
  client: pg.ClientBase,
  config: Config,
  env: Record<string, string | undefined>,
): Promise<UpgradeCheck> {
  const version = readVersion();
  await client.query("begin transaction isolation level repeatable read, read only");
  const schema = await readSchema(client);
  const nodes = schema.isParley ? await readNodes(client) : [];
  const findings: Record<string, Finding> = {
    postgresql: await checkPostgres(client),
    migrations: describeMigrations(schema),
    locks: describeLocks(schema.pending),
    nodes: checkNodes(schema.pending, nodes, version),
    secret: schema.isParley ? await checkSecret(client, config) : fine("The database has none yet."),
    disk: await checkDisk(client, config, schema.pending),
    settings: checkSettings(env),
    backup: schema.isParley ? await checkBackup(client) : fine("There is nothing to back up."),
  };
  await client.query("commit");
  const named = Object.entries(findings).map(([name, finding]) => ({ name, ...finding }));
  return { version, findings: named, migrations: schema.pending, nodes };
}

function fine(message: string): Finding {
  return { level: "OK", message };
}

async function checkPostgres(client: pg.ClientBase): Promise<Finding> {
  const unmet = await findUnmetNeed(client);
  if (unmet !== null) return { level: "FAULT", message: unmet };
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  return fine(rows[0]?.version ?? "");
}

function describeMigrations({ isParley, isFormer, contracts, unknown, pending }: SchemaState): Finding {
  if (isFormer) {
    return {
      level: "FAULT",
      message: "The database was last used by a version from before the baseline: see the message of a start.",
    };
  }
  if (contracts.length > 0) {
    const message = `The database was migrated by a newer version, which removed what this one uses (step ${contracts.join(", ")}).`;
    return { level: "FAULT", message };
  }
  if (!isParley) return fine(`The database is empty: all ${pending.length} migrations run.`);
  const newer =
    unknown.length > 0 ? ` It has steps of a newer version (${unknown.join(", ")}), beside which this one runs.` : "";
  if (pending.length === 0) return fine(`None is to run.${newer}`);
  const steps = pending.map(({ file, phase }) => (phase === "EXPAND" ? file : `${file} (contract)`));
  return fine(`${pending.length} to run: ${steps.join(", ")}.${newer}`);
}

function describeLocks(pending: readonly PendingStep[]): Finding {
  const parts = pending.flatMap(({ file, locks, isConcurrent }) =>
    locks.map(
      ({ table, rows }) => `${file} ${isConcurrent ? "builds indexes of" : "locks"} ${table} (${describeRows(rows)})`,
    ),
  );
  if (parts.length === 0) return fine("No migration locks a table that is in use.");
  return fine(`${parts.join("; ")}. A lock is waited for 0.3 s at a time; an index is built while others write.`);
}

function describeRows(rows: number | null): string {
  return rows === null ? "not counted yet" : `about ${rows} rows`;
}

function checkNodes(pending: readonly PendingStep[], nodes: readonly LiveNode[], version: string): Finding {
  if (nodes.length === 0) return fine("None is live.");
  const list = nodes.map((node) => `${node.address ?? "without an address"} (${node.version ?? "an older version"})`);
  const message = `${nodes.length} live: ${list.join(", ")}.`;
  const isMixed = nodes.some((node) => node.version !== version);
  if (!isMixed || pending.every(({ phase }) => phase === "EXPAND")) return fine(message);
  return {
    level: "FAULT",
    message: `${message} A contract migration removes what they use: stop all of them before the first of this version starts.`,
  };
}

async function checkSecret(client: pg.ClientBase, config: Config): Promise<Finding> {
  const keys = findKeyRing(config);
  if (!keys)
    return { level: "WARNING", message: "Not checked: neither PARLEY_SECRET nor the file in DATA_DIR is at hand." };
  const { rows } = await client.query<{ value: Buffer }>("select value from settings where name = 'key_check'");
  if (rows[0] && !opensKeyCheck(createSecretBox(keys), rows[0].value))
    return { level: "FAULT", message: "PARLEY_SECRET is not the one this database was set up with." };
  if (lacksFormerKey(await readRotation(client), keys))
    return { level: "FAULT", message: "The secret is being changed: PARLEY_SECRET_PREVIOUS is needed until the end." };
  return fine("It is the database's.");
}

async function checkDisk(client: pg.ClientBase, config: Config, pending: readonly PendingStep[]): Promise<Finding> {
  const { rows } = await client.query<{ bytes: number }>(
    "select pg_database_size(current_database())::float8 as bytes",
  );
  const database = `the database has ${toGigabytes(rows[0]?.bytes ?? 0)}`;
  // A checkout beside the server's has no data folder when the database is elsewhere.
  const hasFolder = existsSync(config.dataDir);
  const freeBytes = hasFolder ? (await measureDisk(config.dataDir)).freeBytes : Infinity;
  const here = hasFolder
    ? `${toGigabytes(freeBytes)} free in DATA_DIR`
    : `There is no DATA_DIR ${config.dataDir}, so its disk was not measured`;
  // An index is never larger than its table.
  const neededBytes = pending.reduce((sum, { indexedBytes }) => sum + indexedBytes, 0);
  if (config.databaseUrl) {
    const more =
      neededBytes > 0 ? `, and new indexes need up to ${toGigabytes(neededBytes)}: look at the disk of its server` : "";
    const level = freeBytes < LOW_DISK_BYTES ? "FAULT" : more || !hasFolder ? "WARNING" : "OK";
    return { level, message: `${here}; ${database}${more}.` };
  }
  const level = freeBytes < LOW_DISK_BYTES + 2 * neededBytes ? "FAULT" : "OK";
  return { level, message: `${here}; ${database}; new indexes need up to ${toGigabytes(neededBytes)}.` };
}

function toGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function checkSettings(env: Record<string, string | undefined>): Finding {
  const doubtful = findDoubtfulSettings(env);
  if (doubtful.length === 0) return fine("All are known.");
  return { level: "WARNING", message: `Not known to this version: ${doubtful.join("; ")}.` };
}

async function checkBackup(client: pg.ClientBase): Promise<Finding> {
  const at = await readLastBackup(client);
  const advice = "Make one before: parley backup create FOLDER.";
  if (at === null) return { level: "WARNING", message: `None is known. ${advice}` };
  const ageMs = Date.now() - at.getTime();
  const message = `The last one is ${(ageMs / DAY_MS).toFixed(1)} days old (${at.toISOString()}).`;
  return ageMs > OLD_BACKUP_MS ? { level: "WARNING", message: `${message} ${advice}` } : fine(message);
}

async function readNodes(client: pg.ClientBase): Promise<LiveNode[]> {
  // Older versions have no column for it.
  const { rows } = await client.query<LiveNode>(
    "select address, to_jsonb(n) ->> 'version' as version from nodes n where alive_until > now() order by started_at",
  );
  return rows;
}
