import { ANY_JSON, parseJson, RawJson, rawMembers } from "#src/platform/http/json.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { toLocalTime } from "./local-time.ts";

/** Names of the service's own fields in a record's JSON, which custom fields cannot use. */
export const RESERVED_NAMES = ["id", "metadata", "customerId", "createdAt", "updatedAt"] as const;

const MAX_RECORD_BYTES = 256 * 1024;
const reserved: ReadonlySet<string> = new Set(RESERVED_NAMES);

/** A record as a caller wants it written. */
export interface RecordWrite {
  /** The custom fields as one JSON object, each value with the exact text that was sent. */
  fields: string;
  /** The custom fields as parsed, for a schema. */
  values: Record<string, unknown>;
  /** Exact text of an object; null clears, undefined keeps. */
  metadata: string | null | undefined;
  /** Null unlinks, undefined keeps. */
  customerId: string | null | undefined;
}

/** A stored record, or a row of a built-in store in its shape. */
export interface StoredRecord {
  id: string;
  fields: string;
  metadata: string | null;
  customer_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * Reads the flat JSON of a record: 400 for a wrong type, 422 for a broken rule. Server-owned fields (id, createdAt,
 * updatedAt) are ignored, so that a record can be sent back as it was read.
 */
export function readRecordText(text: string): RecordWrite {
  const body = parseJson(text, ANY_JSON);
  if (!isObject(body)) throw wrongType("", "The record must be an object.");
  const members = rawMembers(text);
  const custom = [...members].filter(([name]) => !reserved.has(name));
  const write = {
    fields: `{${custom.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`,
    values: Object.fromEntries(Object.entries(body).filter(([name]) => !reserved.has(name))),
    metadata: readMetadata(body.metadata, members.get("metadata")),
    customerId: readCustomerId(body.customerId),
  };
  if (Buffer.byteLength(write.fields) + Buffer.byteLength(write.metadata ?? "") > MAX_RECORD_BYTES) {
    const message = `A record has at most ${MAX_RECORD_BYTES} bytes of JSON.`;
    throw new AppError("VALIDATION_FAILED", message, [{ path: "", code: "TOO_LARGE", message }]);
  }
  return write;
}

/** The flat JSON of a record, its custom fields and metadata exactly as they were sent. */
export function toRecordJson(record: StoredRecord, timeZone: string): RawJson {
  const custom = record.fields.slice(1, -1);
  const own = [
    `"metadata":${record.metadata ?? "null"}`,
    `"customerId":${JSON.stringify(record.customer_id)}`,
    `"createdAt":"${toLocalTime(record.created_at, timeZone)}"`,
    `"updatedAt":"${toLocalTime(record.updated_at, timeZone)}"`,
  ];
  return new RawJson(`{${[`"id":"${record.id}"`, ...(custom === "" ? [] : [custom]), ...own].join(",")}}`);
}

function readMetadata(value: unknown, text: string | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isObject(value)) throw wrongType("metadata", "metadata must be an object or null.");
  return text;
}

function readCustomerId(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value !== "string") throw wrongType("customerId", "customerId must be a string or null.");
  if (!isUuid(value)) throw fieldError("customerId", "FORMAT", "must be a UUID.");
  return value;
}

function wrongType(path: string, message: string): AppError {
  return new AppError("INVALID_BODY", message, [{ path, code: "TYPE", message }]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
