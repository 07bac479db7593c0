import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#src/kernel/errors.ts";

/**
 * The key-encryption key: from PARLEY_SECRET, or from a file below the data folder that is generated once
 * (mode 0600). 32 bytes either way.
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
  return writeSecretFile(path);
}

/** Written aside and linked into place, so that a kill leaves no empty key and of two starts one wins. */
function writeSecretFile(path: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}
