import { type Contact, MAX_DATA_BYTES } from "#src/interactions/calls/new-row.ts";
import { inspectString } from "#src/platform/http/json.ts";
import { isE164, toLikelyE164 } from "#src/platform/kernel/e164.ts";
import { isEmail } from "#src/platform/kernel/email.ts";
import type { Fault } from "#src/platform/kernel/errors.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";

/** Reason why a line of a job's list was rejected. `line` counts from 1; in a file the header is line 1. */
export interface RowFault {
  line: number;
  column: string;
  code: string;
  message: string;
}

/** A line of a list before validation. Empty text counts as absent. */
export interface RawContact {
  line: number;
  customerNumber: unknown;
  contactName: unknown;
  contactEmail: unknown;
  externalId: unknown;
  timeZone: unknown;
  priority: unknown;
  rowData: unknown;
  /** Exact text of a JSON object, or null. */
  contextText: string | null;
}

const LONGEST = { contactName: 500, contactEmail: 320, externalId: 200, timeZone: 64 } as const;

/** Most bytes of JSON for a character, as \u001f, and for the marks around a member. */
const MOST_BYTES = 6;
const MEMBER_BYTES = 8;

/** Checks one line. A fault names its column. A bad line never stops the others. */
export function readContact(raw: RawContact): Contact | RowFault {
  const number = typeof raw.customerNumber === "string" ? raw.customerNumber.trim() : raw.customerNumber;
  if (number === undefined || number === null || number === "") {
    return fault(raw, "customerNumber", "REQUIRED", "is required.");
  }
  if (typeof number !== "string" || !isE164(number)) {
    const likely = typeof number === "string" ? toLikelyE164(number) : null;
    const hint = likely === null ? "" : ` Did you mean ${likely}?`;
    return fault(
      raw,
      "customerNumber",
      "E164",
      `must be an E.164 number with its country code, such as +12025550100.${hint}`,
    );
  }
  const texts: Partial<Record<keyof typeof LONGEST, string | null>> = {};
  for (const column of ["contactName", "contactEmail", "externalId", "timeZone"] as const) {
    const text = readText(raw, column);
    if (text !== null && typeof text === "object") return text;
    texts[column] = text;
  }
  if (texts.timeZone && !isTimeZone(texts.timeZone)) {
    return fault(raw, "timeZone", "TIME_ZONE", "is not the IANA name of a time zone, such as America/New_York.");
  }
  const email = texts.contactEmail?.trim() || null;
  if (email !== null && !isEmail(email)) {
    return fault(raw, "contactEmail", "EMAIL", "is not an e-mail address, such as ada@example.com.");
  }
  const priority = readPriority(raw);
  if (typeof priority === "object") return priority;
  const rowData = readRowData(raw);
  if (isRowFault(rowData)) return rowData;
  const context = checkContext(raw);
  if (context) return context;
  return {
    customerNumber: number,
    ...classifyNumber(number),
    contactName: texts.contactName ?? null,
    contactEmail: email,
    externalId: texts.externalId ?? null,
    timeZone: texts.timeZone ?? null,
    rowData,
    contextData: raw.contextText,
    line: raw.line,
    priority,
  };
}

/** True for the fault that `readContact` returns for a rejected line. */
export function isRowFault(value: object | null): value is RowFault {
  return value !== null && "column" in value && "code" in value && "line" in value;
}

function readText(raw: RawContact, column: keyof typeof LONGEST): string | null | RowFault {
  const value = raw[column];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") return fault(raw, column, "TYPE", "must be a text.");
  if (value.length > LONGEST[column]) {
    return fault(raw, column, "MAXLENGTH", `must have at most ${LONGEST[column]} characters.`);
  }
  return textFault(raw, column, value) ?? value;
}

function readPriority(raw: RawContact): number | RowFault {
  if (raw.priority === undefined || raw.priority === null || raw.priority === "") return 0;
  const priority = typeof raw.priority === "string" ? Number(raw.priority) : raw.priority;
  if (typeof priority === "number" && Number.isInteger(priority) && priority >= 0 && priority <= 1_000) return priority;
  return fault(raw, "priority", "RANGE", "must be a whole number from 0 to 1000.");
}

function readRowData(raw: RawContact): Record<string, unknown> | null | RowFault {
  const { rowData } = raw;
  if (rowData === undefined || rowData === null) return null;
  if (typeof rowData !== "object" || Array.isArray(rowData)) return fault(raw, "rowData", "TYPE", "must be an object.");
  let mostBytes = 0;
  for (const key of Object.keys(rowData)) {
    const value = (rowData as Record<string, unknown>)[key];
    const found = typeof value === "string" ? textFault(raw, key, value) : null;
    if (found) return found;
    mostBytes += typeof value === "string" ? MOST_BYTES * (key.length + value.length) + MEMBER_BYTES : Infinity;
  }
  // Hardly any is so large that its exact size must be known.
  if (mostBytes > MAX_DATA_BYTES && Buffer.byteLength(JSON.stringify(rowData)) > MAX_DATA_BYTES) {
    return fault(raw, "rowData", "TOO_LARGE", `must be at most ${MAX_DATA_BYTES} bytes of JSON.`);
  }
  return rowData as Record<string, unknown>;
}

function checkContext(raw: RawContact): RowFault | null {
  if (raw.contextText === null) return null;
  if (Buffer.byteLength(raw.contextText) > MAX_DATA_BYTES) {
    return fault(raw, "contextData", "TOO_LARGE", `must be at most ${MAX_DATA_BYTES} bytes of JSON.`);
  }
  return raw.contextText.startsWith("{") ? null : fault(raw, "contextData", "TYPE", "must be a JSON object.");
}

function textFault(raw: RawContact, column: string, value: string): RowFault | null {
  if (value.isWellFormed() && !value.includes("\u0000")) return null;
  const faults: Fault[] = [];
  inspectString(value, column, faults);
  const [found] = faults;
  return found ? { line: raw.line, column, code: found.code, message: found.message } : null;
}

function fault(raw: RawContact, column: string, code: string, rest: string): RowFault {
  return { line: raw.line, column, code, message: `${column} ${rest}` };
}
