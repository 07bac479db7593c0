import { statfs } from "node:fs/promises";
import { getAccounts } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import type { Config } from "#src/platform/config/config.ts";
import type { Database } from "#src/platform/db/database.ts";
import { TOLERATED_OFF_MS } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";

interface Check {
  name: string;
  ok: boolean;
  message: string;
}

interface ProcessChecks {
  /** Lists what `/ready` warns of. */
  findWarnings(): readonly { message: string }[];
  /** Says where recordings are, after it tried the place. */
  describeRecordings(): Promise<string>;
  /** Lists the available speech providers. */
  describeSpeech(): string;
  /** Describes the voice activity detection in use. */
  describeVad(): Promise<string>;
}

const LOW_DISK_BYTES = 1024 ** 3;

/**
 * Runs the checks of `parley doctor`: each reports its fault and what to do. The functions of `own` throw
 * for something that the operator configured and that is missing.
 */
export async function runChecks(config: Config, database: Database, own: ProcessChecks): Promise<{ checks: Check[] }> {
  const checks = await Promise.all([
    check("node", async () => `Node ${process.versions.node}`),
    check("database", () => askDatabase(database)),
    check("clock", () => compareClocks(database)),
    check("disk", () => measureDisk(config.dataDir)),
    check("recordings", () => own.describeRecordings()),
    check("carriers", async () =>
      config.sandboxCarrierUrl ? `sandbox at ${config.sandboxCarrierUrl}` : "sandbox, in this process",
    ),
    check("carrier accounts", () => listCarrierAccounts(database)),
    check("models", () => listModels(database)),
    check("speech", async () => own.describeSpeech()),
    check("voice detection", () => own.describeVad()),
    check("address", async () => config.publicUrl),
    check("warnings", async () => showWarnings(own.findWarnings())),
  ]);
  return { checks };
}

async function check(name: string, run: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, message: await run() };
  } catch (error) {
    return { name, ok: false, message: toError(error).message };
  }
}

function showWarnings(warnings: readonly { message: string }[]): string {
  if (warnings.length === 0) return "none";
  throw new Error(warnings.map(({ message }) => message).join(" "));
}

/** Lists the accounts with their states; a failed one fails the check. */
async function listCarrierAccounts({ db }: Database): Promise<string> {
  const accounts = await getAccounts(db, null);
  if (accounts.length === 0) return "none; a LIVE workspace gets one with: parley carrier add";
  const shown = accounts.map(({ id, provider, label, status, statusMessage, phoneNumbers }) =>
    [`${provider} ${label} (${id}, ${phoneNumbers} numbers): ${status}`, statusMessage].filter(Boolean).join(", "),
  );
  if (accounts.every(({ status }) => status === "ACTIVE")) return shown.join("; ");
  throw new Error(`${shown.join("; ")}. Mend what failed, then run: parley carrier check ID`);
}

/** Counts the language models of all workspaces, by provider. */
async function listModels({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ provider: string; models: number }>(
    "select provider, count(*)::int as models from language_models group by provider order by provider",
  );
  const shown = rows.map(({ provider, models }) => `${provider} (${models})`);
  return `scripted model; of workspaces: ${shown.join(", ") || "none"}`;
}

async function askDatabase({ pool }: Database): Promise<string> {
  const found = await pool.query<{ version: string; waiting: number }>(
    "select current_setting('server_version') as version, (select count(*)::int from nodes where alive_until > now()) as waiting",
  );
  const [row] = found.rows;
  return `PostgreSQL ${row?.version}, ${row?.waiting} node(s) alive`;
}

async function compareClocks({ pool }: Database): Promise<string> {
  const found = await pool.query<{ now: Date }>("select clock_timestamp() as now");
  const offMs = Math.abs(Date.now() - (found.rows[0]?.now.getTime() ?? 0));
  if (offMs > TOLERATED_OFF_MS)
    throw new Error(`differs from the database's by ${Math.round(offMs / 1000)} s; set one of them right`);
  return "agrees with the database's";
}

async function measureDisk(dataDir: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${dataDir}`;
  if (free < LOW_DISK_BYTES) throw new Error(`${shown}; free some space`);
  return shown;
}
