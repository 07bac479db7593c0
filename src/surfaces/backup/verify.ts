import { join } from "node:path";
import type { Config } from "#src/platform/config/config.ts";
import { BackupError } from "./backup-error.ts";
import { findBackupKeys } from "./backup-key.ts";
import { type Manifest, pathOfTable, readManifest, RECORDINGS_FILE, type SealedManifest } from "./manifest.ts";
import { checkRecording, readRecordingList } from "./recording-copies.ts";
import { readStored } from "./stored-stream.ts";

/** Result of looking through a backup. */
export interface Verified {
  manifest: Manifest;
  /** True when the manifest is the one that was written; null without the secret of its installation. */
  isSealIntact: boolean | null;
  /** Faults, in words. */
  faults: string[];
}

/**
 * Reads a whole backup and compares every count and digest with its manifest; needs no database. Throws when it has no
 * manifest that can be read.
 */
export async function verifyBackup(config: Config, folder: string): Promise<Verified> {
  const sealed = readManifest(folder);
  const { manifest } = sealed;
  const isSealIntact = checkSeal(config, sealed);
  const faults = isSealIntact === false ? [SEAL_BROKEN] : [];
  const note = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error;
      faults.push(error.message);
    });
  const ignore = async (pieces: AsyncIterable<Buffer>) => {
    for await (const _ of pieces);
  };
  for (const table of manifest.tables) await note(readStored(pathOfTable(folder, table.name), table, ignore));
  const { list } = manifest.recordings;
  if (list !== null) {
    const check = async (pieces: AsyncIterable<Buffer>) => {
      for await (const listed of readRecordingList(pieces)) {
        const fault = await checkRecording(folder, listed);
        if (fault !== null) faults.push(fault);
      }
    };
    await note(readStored(join(folder, RECORDINGS_FILE), list, check));
  }
  return { manifest, isSealIntact, faults };
}

/** Fault of a manifest that somebody changed. */
export const SEAL_BROKEN = "The manifest was changed: its seal was not made with the secret of this installation.";

/** Returns true when a manifest is the one that was written; null when the secret of its installation is not at hand. */
function checkSeal(config: Config, { seal, manifest }: SealedManifest): boolean | null {
  const key = findBackupKeys(config).find(({ fingerprint }) => fingerprint === manifest.secret);
  if (!key) return null;
  return key.seal(JSON.stringify(manifest)) === seal;
}
