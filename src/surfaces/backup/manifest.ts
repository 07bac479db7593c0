import { readFileSync } from "node:fs";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Errors } from "typebox/value";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { BackupError } from "./backup-error.ts";
import type { BackupKey } from "./backup-key.ts";

/** Number of the form of backups that this version writes and reads. */
export const FORMAT = 1;
/** Name of the manifest in the folder of a backup; it is written last. */
export const MANIFEST_FILE = "manifest.json";
/** Name of the compressed list of recordings. */
export const RECORDINGS_FILE = "recordings.zst";

const Count = Type.Integer({ minimum: 0 });
const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Name = Type.String({ pattern: "^[a-z_][a-z0-9_]{0,62}$" });

/** A compressed file: lines, bytes and digest of its content, and its own size. */
const StoredSchema = { rows: Count, bytes: Count, sha256: Digest, fileBytes: Count };
const Stored = Type.Object(StoredSchema);

const Column = Type.Object({ name: Name, type: Type.String() });
const TableCopy = Type.Object({ ...StoredSchema, name: Name, columns: Type.Array(Column) });
const SequenceValue = Type.Object({
  name: Name,
  value: Type.String({ pattern: "^-?\\d{1,19}$" }),
  isCalled: Type.Boolean(),
});

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  /** Version of Parley that wrote it. */
  version: Type.String(),
  createdAt: Type.String(),
  /** Fingerprint of the secret. */
  secret: Digest,
  /** Numbers of the migrations that the database had. */
  migrations: Type.Array(Count),
  tables: Type.Array(TableCopy),
  sequences: Type.Array(SequenceValue),
  recordings: Type.Object({
    /** False when the files were left out: then there is no list, and `rows` counts what refers to them. */
    included: Type.Boolean(),
    rows: Count,
    /** Recordings whose file was not there. */
    missing: Count,
    /** Bytes of all files. */
    bytes: Count,
    list: Type.Union([Stored, Type.Null()]),
  }),
});

const SealedSchema = Type.Object({ seal: Digest, manifest: ManifestSchema });

/** Contents of a backup. */
export type Manifest = Static<typeof ManifestSchema>;
/** A compressed file of a backup. */
export type Stored = Static<typeof Stored>;
/** A table of a backup. */
export type TableCopy = Static<typeof TableCopy>;
/** A column of a table, with its type as PostgreSQL writes it. */
export type Column = Static<typeof Column>;
/** Value of a sequence. */
export type SequenceValue = Static<typeof SequenceValue>;

/** A manifest as it was read, with the seal under which it stands. */
export type SealedManifest = Static<typeof SealedSchema>;

/** Returns the text of a manifest's file. */
export function renderManifest(manifest: Manifest, key: BackupKey): string {
  return `${JSON.stringify({ seal: key.seal(JSON.stringify(manifest)), manifest }, null, 2)}\n`;
}

/** Reads the manifest of a backup. Throws when there is none, or none that this version can read. */
export function readManifest(folder: string): SealedManifest {
  const path = join(folder, MANIFEST_FILE);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? ""))
      throw new BackupError(`${folder} is no whole backup: it has no ${MANIFEST_FILE}, which is written last.`);
    if (error instanceof SyntaxError) throw new BackupError(`${path} is damaged: it is not JSON.`);
    throw error;
  }
  const format = (value as { manifest?: { format?: unknown } } | null)?.manifest?.format;
  if (typeof format === "number" && format > FORMAT)
    throw new BackupError(`${folder} was written by a newer version of Parley (format ${format}). Use that version.`);
  const [fault] = Errors(SealedSchema, value);
  if (fault) throw new BackupError(`${path} is damaged: ${fault.instancePath || "it"} ${fault.message}.`);
  return value as SealedManifest;
}

/** Returns the path of a table's file. */
export function pathOfTable(folder: string, name: string): string {
  return join(folder, "tables", `${name}.zst`);
}

/** Returns the path of a recording in a backup. */
export function pathOfCopy(folder: string, path: string): string {
  return join(folder, "recordings", path);
}
