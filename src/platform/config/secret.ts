import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { idOfKey, KeyRing } from "#src/platform/kernel/key-ring.ts";
import { writeOnce } from "#src/platform/kernel/write-once.ts";
import type { Config } from "./config.ts";
import { withoutLineEnd } from "./environment.ts";

const FILE = "secret";
/** Secret that follows, while the installation changes over to it. */
const NEXT_FILE = "secret.next";

/** Settings from which the secrets are read. */
export type SecretSettings = Pick<Config, "secret" | "previousSecret" | "dataDir">;

/** The keys of a process that starts. */
export interface StartKeys {
  keys: KeyRing;
  /** Stores a secret that was generated for this start; null when the settings or a file have one. */
  keep: (() => void) | null;
}

/**
 * Opens the key-encryption keys: from PARLEY_SECRET and PARLEY_SECRET_PREVIOUS, or from files below the data folder, 32
 * bytes either way. Where there are none, a secret is generated, whose file (mode 0600) `keep` writes: beside a database
 * that was set up with another one it would only be in the way of that.
 */
export function openKeyRing(settings: SecretSettings): StartKeys {
  const found = findKeyRing(settings);
  if (found) return { keys: found, keep: null };
  const secret = createSecret();
  const keep = () => {
    if (writeOnce(join(settings.dataDir, FILE), secret) === secret) return;
    throw new Error("Another process has just generated the secret of this data folder. Start again.");
  };
  return { keys: new KeyRing(toKey(secret)), keep };
}

/** Reads the keys that there are: null when there is neither a setting nor a file. */
export function findKeyRing({ secret, previousSecret, dataDir }: SecretSettings): KeyRing | null {
  const files = () => [FILE, NEXT_FILE].map((name) => readLine(join(dataDir, name))).filter((text) => text !== null);
  const texts = secret === undefined ? files() : spellingsOf(secret);
  if (previousSecret !== undefined) texts.push(...spellingsOf(previousSecret));
  const [current, ...others] = texts.map(toKey);
  return current ? new KeyRing(current, ...others) : null;
}

/**
 * Returns a secret of the settings without the line end of the file that it was read from, which is no part of it. Before
 * 0.3.0 it was, so a database that was set up then may name the secret with one; whoever then takes it away finds their
 * database opened, too.
 */
function spellingsOf(text: string): string[] {
  const secret = withoutLineEnd(text);
  return [secret, `${secret}\n`, text];
}

/** Generates the secret that follows, in its file, unless it is there from an earlier try; returns its key. */
export function writeNextSecret(dataDir: string): Buffer {
  return toKey(writeOnce(join(dataDir, NEXT_FILE), createSecret()));
}

/**
 * Puts the secret that follows in the place of the present one, which is kept in a file of its own that no server reads.
 * Returns false, and does nothing, when the secret that follows is not the one with this id.
 */
export function promoteNextSecret(dataDir: string, id: string): boolean {
  const [path, next] = [join(dataDir, FILE), join(dataDir, NEXT_FILE)];
  const [present, following] = [readLine(path), readLine(next)];
  if (present === null || following === null || idOfKey(toKey(following)) !== id) return false;
  try {
    linkSync(path, pathOfFormer(dataDir, idOfKey(toKey(present))));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  flush(dataDir);
  renameSync(next, path);
  flush(dataDir);
  return true;
}

/** Returns the path of the file that keeps the former secret with this id; null when there is none. */
export function findFormerSecret(dataDir: string, id: string): string | null {
  const path = pathOfFormer(dataDir, id);
  return existsSync(path) ? path : null;
}

function pathOfFormer(dataDir: string, id: string): string {
  return join(dataDir, `${FILE}.former-${id}`);
}

function createSecret(): string {
  return randomBytes(32).toString("hex");
}

function toKey(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function readLine(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Flushes the names in a folder, so that they outlive a power cut in the order in which they were made. */
function flush(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
