import type { Contact } from "#src/interactions/calls/new-row.ts";
import { ANY_JSON, parseJson } from "#src/platform/http/json.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isRowFault, type RawContact, readContact, type RowFault } from "./contact.ts";
import { QUOTING, readRecords } from "./csv-records.ts";

/** Bytes that the parser handles in a millisecond or two, during which it blocks the event loop. */
export const PARSED_BYTES = 16 * 1024;

const MAX_COLUMNS = 200;

/** Header names of a contact's own fields, in the spellings that spreadsheets use. */
const KNOWN_COLUMNS: ReadonlyMap<string, keyof Omit<RawContact, "line" | "rowData">> = new Map([
  ["customernumber", "customerNumber"],
  ["phonenumber", "customerNumber"],
  ["phone", "customerNumber"],
  ["number", "customerNumber"],
  ["contactname", "contactName"],
  ["name", "contactName"],
  ["contactemail", "contactEmail"],
  ["email", "contactEmail"],
  ["externalid", "externalId"],
  ["timezone", "timeZone"],
  ["priority", "priority"],
  ["contextdata", "contextText"],
]);

interface Column {
  name: string;
  /** Null when the column is a variable of rowData. */
  field: keyof Omit<RawContact, "line" | "rowData"> | null;
}

/**
 * Reads a CSV (RFC 4180) and yields contacts and faults by line, in batches. The separator is a comma, semicolon, tab
 * or bar, or the one that a first line `sep=;` names, as spreadsheets write it. BOM, CRLF and blank lines are accepted.
 * Unknown columns become rowData. A batch ends after `batchRows` rows, or after the row that reaches `batchBytes` of the
 * file. A header that cannot be used is a 422.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  batchRows: number,
  batchBytes = Infinity,
): AsyncIterable<(Contact | RowFault)[]> {
  let columns: Column[] | undefined;
  let batch: (Contact | RowFault)[] = [];
  let bytes = 0;
  for await (const items of readRecords(source)) {
    for (const item of items) {
      if (isRowFault(item)) {
        batch.push(item);
        continue;
      }
      bytes += item.bytes;
      if (!columns) {
        columns = readHeader(item.cells);
        continue;
      }
      const read = readRecord(columns, item.cells, item.line);
      if (read) batch.push(read);
      if (batch.length >= batchRows || bytes >= batchBytes) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  }
  if (!columns)
    throw fieldError("file", "EMPTY", "is empty: its first line names the columns, such as customerNumber.");
  if (batch.length > 0) yield batch;
}

function readHeader(names: string[]): Column[] {
  if (names.length > MAX_COLUMNS)
    throw fieldError("file", "TOO_MANY_COLUMNS", `has ${names.length} columns; at most ${MAX_COLUMNS}.`);
  const seen = new Map<string, string>();
  const columns = names.map((text, i): Column => {
    const name = text.trim();
    if (name === "") throw fieldError("file", "COLUMN_NAME", `has no name for column ${i + 1} in its header.`);
    if (name.length > 200 || name === "__proto__") {
      throw fieldError("file", "COLUMN_NAME", `has a column name that is not allowed: ${name.slice(0, 50)}`);
    }
    const field = KNOWN_COLUMNS.get(name.toLowerCase().replaceAll(/[\s_-]/g, "")) ?? null;
    const key = field ?? name;
    const other = seen.get(key);
    if (other !== undefined) throw fieldError("file", "DUPLICATE_COLUMN", describeTwins(key, other, name));
    seen.set(key, name);
    return { name, field };
  });
  if (!seen.has("customerNumber")) {
    const found = columns.map((column) => column.name).join(", ");
    const message = `The header needs a column customerNumber (or phoneNumber, phone, number). It has ${found.slice(0, 200)}: rename the one with the numbers.`;
    throw fieldError("customerNumber", "MISSING_COLUMN", message);
  }
  return columns;
}

function describeTwins(key: string, one: string, other: string): string {
  if (one === other) return `names the column ${other} twice.`;
  return `has two columns for ${key}: ${one} and ${other}. Rename the one that is something else.`;
}

function readRecord(columns: Column[], record: string[], line: number): Contact | RowFault | null {
  if (record.every((cell) => cell.trim() === "")) return null;
  if (record.length !== columns.length) {
    const cells = `${record.length} ${record.length === 1 ? "cell" : "cells"}`;
    const advice = record.length > columns.length ? `: ${QUOTING}` : ".";
    const message = `The line has ${cells}; the header has ${columns.length}${advice}`;
    return { line, column: "", code: "COLUMN_COUNT", message };
  }
  const raw: RawContact = {
    line,
    customerNumber: null,
    contactName: null,
    contactEmail: null,
    externalId: null,
    timeZone: null,
    priority: null,
    rowData: null,
    contextText: null,
  };
  const rowData: Record<string, string> = {};
  let variables = 0;
  columns.forEach(({ name, field }, i) => {
    const cell = record[i] as string;
    if (field === "contextText") raw.contextText = cell.trim() === "" ? null : cell.trim();
    else if (field) raw[field] = cell;
    else {
      rowData[name] = cell;
      variables++;
    }
  });
  if (variables > 0) raw.rowData = rowData;
  const read = contextFault(raw) ?? readContact(raw);
  return read;
}

function contextFault(raw: RawContact): RowFault | null {
  if (raw.contextText === null) return null;
  try {
    parseJson(raw.contextText, ANY_JSON);
    return null;
  } catch {
    return { line: raw.line, column: "contextData", code: "JSON", message: "contextData must be a JSON object." };
  }
}
