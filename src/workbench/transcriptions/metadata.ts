import { fieldError } from "#src/platform/kernel/errors.ts";
import type { StoredField } from "./store.ts";

const MAX_METADATA_BYTES = 64 * 1024;
const SHOWN_KEYS = 20;

type Metadata = Record<string, unknown>;

/** Sources of a recording's values, in the order in which they are applied: later ones win. */
export interface MetadataSources {
  fileName: Record<string, string>;
  spreadsheet: Record<string, string>;
  sent: Metadata;
}

/** Metadata that a recording is stored with. */
export interface FiledMetadata {
  metadata: Metadata;
  /** Keys that were sent without a field of that name. They are stored all the same. */
  unknownMetadataKeys: string[];
  warning: string | null;
}

/**
 * Merges the values. No value is refused for its key or its type, because a recording is worth more than its labels:
 * values that do not fit the fields are stored and named in the warning.
 */
export function fileMetadata(fields: StoredField[], sources: MetadataSources): FiledMetadata {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const metadata: Metadata = {
    ...readTexts(byKey, sources.fileName),
    ...readTexts(byKey, nameByLabel(fields, sources.spreadsheet)),
    ...sources.sent,
  };
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw fieldError("metadata", "TOO_LARGE", `must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  }
  const unknownMetadataKeys = Object.keys(sources.sent).filter((key) => !byKey.has(key));
  const unfit = fields
    .filter(({ key }) => Object.hasOwn(metadata, key))
    .filter((field) => !fits(field, metadata[field.key]));
  const missing = fields.filter((field) => field.required && (metadata[field.key] ?? null) === null);
  const warnings = [
    describe(
      "Unrecognised metadata keys were stored",
      unknownMetadataKeys,
      "; GET /metadata/fields lists the valid ones",
    ),
    describe(
      "Values that do not fit their field were stored",
      unfit.map(({ key }) => key),
    ),
    describe(
      "Required metadata is missing",
      missing.map(({ key }) => key),
    ),
  ];
  return { metadata, unknownMetadataKeys, warning: warnings.filter(Boolean).join(" ") || null };
}

function describe(what: string, keys: string[], then = ""): string {
  if (keys.length === 0) return "";
  const more = keys.length > SHOWN_KEYS ? ` and ${keys.length - SHOWN_KEYS} more` : "";
  return `${what}: ${keys.slice(0, SHOWN_KEYS).join(", ")}${more}${then}.`;
}

/** Renames cells by key: the heading of a column may be a field's key or its label. */
function nameByLabel(fields: StoredField[], cells: Record<string, string>): Record<string, string> {
  const keys = new Set(fields.map((field) => field.key));
  const byLabel = new Map(fields.map((field) => [field.label.toLowerCase(), field.key]));
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [
      keys.has(name) ? name : (byLabel.get(name.toLowerCase()) ?? name),
      value,
    ]),
  );
}

/** Parses texts by the type of their field, because file names and cells hold only text. */
function readTexts(byKey: Map<string, StoredField>, values: Record<string, string>): Metadata {
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, readText(byKey.get(key)?.type, text)]));
}

function readText(type: StoredField["type"] | undefined, text: string): unknown {
  const trimmed = text.trim();
  if (type === "NUMBER" && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(trimmed)) return Number(trimmed);
  if (type === "BOOLEAN" && /^(true|yes)$/i.test(trimmed)) return true;
  if (type === "BOOLEAN" && /^(false|no)$/i.test(trimmed)) return false;
  return text;
}

function fits({ type, allowedValues }: StoredField, value: unknown): boolean {
  if (value === null) return true;
  if (type === "NUMBER") return typeof value === "number";
  if (type === "BOOLEAN") return typeof value === "boolean";
  if (typeof value !== "string") return false;
  if (type === "ENUM") return allowedValues?.includes(value) ?? false;
  return type !== "DATE" || isDate(value);
}

/** True for a day that exists, as YYYY-MM-DD. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}
