import { createHmac, hkdfSync } from "node:crypto";
import type { Config } from "#src/platform/config/config.ts";
import { findMasterKey } from "#src/platform/config/secret.ts";
import { createSecretBox, opensKeyCheck } from "#src/platform/kernel/secret-box.ts";

/** The secret of an installation, as far as backups need it. */
export interface BackupKey {
  /** Is the same for the same secret, and reveals nothing of it. */
  fingerprint: string;
  /** Returns the seal of a text, which nobody can make without the secret. */
  seal(text: string): string;
  /** True when the key check of a database was sealed with this secret. */
  opens(keyCheck: Buffer): boolean;
}

/** Derives the key of backups from the secret of an installation; null when it has none yet. */
export function findBackupKey({ secret, dataDir }: Config): BackupKey | null {
  const masterKey = findMasterKey(secret, dataDir);
  if (!masterKey) return null;
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", "parley backup key", 32));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  const box = createSecretBox(masterKey);
  return {
    fingerprint: sign("fingerprint"),
    seal: (text) => sign(`seal\n${text}`),
    opens: (keyCheck) => opensKeyCheck(box, keyCheck),
  };
}
