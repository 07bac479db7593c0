import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";

/** Settings by their name, as in ha.env.example. */
export type Settings = Readonly<Record<string, string>>;

/** A machine of the three, by its number. */
export type Member = 1 | 2 | 3;
export const MEMBERS: readonly Member[] = [1, 2, 3];

const TEMPLATES = join(import.meta.dirname, "templates");
/** Files that hold secrets. */
const SECRET_FILES = new Set(["patroni.yml", "database.sql", "pgbouncer-users.txt"]);
/** No sign of these has a meaning in any of the files. */
const PLAIN = /^[A-Za-z0-9._:/-]+$/;
const SECRET = /^[A-Za-z0-9_-]{16,}$/;

/** Reads settings from the text of an env file, over the defaults of ha.env.example. */
export function readSettings(text: string): Settings {
  const defaults = parseEnv(readFileSync(join(import.meta.dirname, "ha.env.example"), "utf8"));
  return { ...defaults, ...parseEnv(text) } as Settings;
}

/** Returns the configuration files of a member by their name. Throws for a setting that is missing or not plain text. */
export function render(settings: Settings, member: Member): Map<string, string> {
  const values: Settings = {
    ...settings,
    MEMBER: String(member),
    ADDRESS: settings[`HA_ADDRESS_${member}`] ?? "",
    PUBLIC: settings[`HA_PUBLIC_${member}`] ?? "",
  };
  const fill = (text: string) => text.replaceAll(/@([A-Z][A-Z0-9_]*)@/g, (_, name: string) => readValue(values, name));
  return new Map(
    readdirSync(TEMPLATES).map((name) => [basename(name, ".in"), fill(readFileSync(join(TEMPLATES, name), "utf8"))]),
  );
}

function readValue(values: Settings, name: string): string {
  const value = values[name] ?? "";
  if (name.endsWith("_PASSWORD")) {
    if (SECRET.test(value)) return value;
    throw new Error(`${name} needs at least 16 letters and digits; "openssl rand -hex 24" makes them.`);
  }
  if (PLAIN.test(value)) return value;
  throw new Error(value === "" ? `${name} is not set.` : `${name} may not be ${JSON.stringify(value)}.`);
}

/** Writes the configuration files of a member into a folder; those with secrets for their owner alone. */
export function writeFiles(settings: Settings, member: Member, folder: string): void {
  for (const [name, text] of render(settings, member)) {
    const path = join(folder, name);
    // The mode counts for a new file alone.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: SECRET_FILES.has(name) ? 0o600 : 0o644 });
  }
}
