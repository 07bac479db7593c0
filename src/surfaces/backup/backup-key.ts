import { createHmac } from "node:crypto";
import type { Config } from "#src/platform/config/config.ts";
import { findKeyRing } from "#src/platform/config/secret.ts";
import { deriveKey, idOfKey } from "#src/platform/kernel/key-ring.ts";
import { keyIdOf } from "#src/platform/kernel/secret-box.ts";

/** A secret of an installation, as far as backups need it. */
export interface BackupKey {
  /** Is the same for the same secret, and reveals nothing of it. */
  fingerprint: string;
  /** Returns the seal of a text, which nobody can make without the secret. */
  seal(text: string): string;
  /** True when the key check of a database was sealed with this secret. */
  opens(keyCheck: Buffer): boolean;
}

/** Derives the keys of backups from the secrets at hand: none, one, or two while the secret is changed. */
export function findBackupKeys(config: Config): BackupKey[] {
  return (findKeyRing(config)?.all ?? []).map((masterKey) => {
    const key = deriveKey(masterKey, "parley backup key");
    const sign = (text: string) => createHmac("sha256", key).update(text).digest("hex");
    return {
      fingerprint: sign("fingerprint"),
      seal: (text) => sign(`seal\n${text}`),
      opens: (keyCheck) => keyIdOf(keyCheck) === idOfKey(masterKey),
    };
  });
}
