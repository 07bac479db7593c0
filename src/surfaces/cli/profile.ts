import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import type { System } from "./system.ts";

/** Address and key of one server, with the key's workspace. */
export interface Profile {
  url: string;
  apiKey: string;
  workspaceId?: string;
  mode?: "SANDBOX" | "LIVE";
}

/** Returns the path of the profile file: $XDG_CONFIG_HOME/parley/profile.json, or below ~/.config. */
export function profilePath(env: System["env"]): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "parley", "profile.json");
}

/**
 * Reads a profile file, latest first; empty when there is none. The file holds `{"profiles": [...]}`, one for each
 * server, so that adding a server does not lose the key of another, which is shown only once. A hand-written file may
 * be a single profile.
 */
export function readProfiles(path: string): Profile[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new CliError(EXIT.ERROR, `Cannot read the profile ${path}: ${(error as Error).message}`);
  }
  let found: unknown[];
  try {
    const value = JSON.parse(text) as { profiles?: unknown };
    found = Array.isArray(value.profiles) ? value.profiles : [value];
  } catch {
    found = [undefined];
  }
  if (!found.every(isProfile))
    throw new CliError(EXIT.ERROR, `The profile ${path} is damaged: it needs url and apiKey.`);
  return found;
}

/** Stores a profile in place of an earlier one for the same server. Only its owner can read the file. */
export function saveProfile(path: string, profile: Profile): void {
  const others = readProfiles(path).filter((other) => !isSameServer(other.url, profile.url));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ profiles: [profile, ...others] }, null, 2)}\n`, { mode: 0o600 });
  // A draft left by an earlier run would keep its own mode.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** True for two spellings of one base URL. */
export function isSameServer(left: string, right: string): boolean {
  return left.replace(/\/+$/, "") === right.replace(/\/+$/, "");
}

function isProfile(value: unknown): value is Profile {
  const profile = value as Partial<Profile> | undefined;
  return typeof profile?.url === "string" && typeof profile.apiKey === "string";
}
