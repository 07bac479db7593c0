import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { writeOnce } from "#src/platform/kernel/write-once.ts";

const FILE = "secret";

/**
 * Reads the key-encryption key: from PARLEY_SECRET, or from a file below the data folder that is generated once (mode
 * 0600). 32 bytes either way.
 */
export function readMasterKey(secret: string | undefined, dataDir: string): Buffer {
  return findMasterKey(secret, dataDir) ?? deriveKey(writeOnce(join(dataDir, FILE), randomBytes(32).toString("hex")));
}

/** Reads the same key, and generates none: null when there is neither a setting nor a file. */
export function findMasterKey(secret: string | undefined, dataDir: string): Buffer | null {
  if (secret !== undefined) return deriveKey(secret);
  try {
    return deriveKey(readFileSync(join(dataDir, FILE), "utf8").trim());
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function deriveKey(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
