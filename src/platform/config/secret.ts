import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { writeOnce } from "#src/platform/kernel/write-once.ts";

/**
 * Reads the key-encryption key: from PARLEY_SECRET, or from a file below the data folder that is generated once (mode
 * 0600). 32 bytes either way.
 */
export function readMasterKey(secret: string | undefined, dataDir: string): Buffer {
  return createHash("sha256")
    .update(secret ?? readSecretFile(dataDir))
    .digest();
}

function readSecretFile(dataDir: string): string {
  const path = join(dataDir, "secret");
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return writeOnce(path, randomBytes(32).toString("hex"));
}
