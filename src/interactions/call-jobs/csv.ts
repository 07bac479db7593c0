import { Readable } from "node:stream";
import { parse, type Options } from "csv-parse";
import type { Contact } from "#src/interactions/calls/new-row.ts";
import { ANY_JSON, parseJson } from "#src/platform/http/json.ts";
import { type Dialect, dialectOf, parserOptionsOf } from "#src/platform/kernel/csv-delimiter.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { type RawContact, readContact, type RowFault } from "./contact.ts";

/** Bytes that the parser handles in a millisecond or two, during which it blocks the event loop. */
export const PARSED_BYTES = 16 * 1024;

/** The rule that a faulty line usually breaks (RFC 4180, section 2). */
const QUOTING = "a value with a comma or a line break stands in quotes, and a quote inside is written twice.";
const MAX_COLUMNS = 200;
const MAX_RECORD_BYTES = 1024 * 1024;

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
  const skipped: RowFault[] = [];
  const { dialect, whole } = await readDialect(source);
  const parser = Readable.from(whole, { objectMode: false }).pipe(parse(options(dialect, skipped)));
  let columns: Column[] | undefined;
  let batch: (Contact | RowFault)[] = [];
  let batchStart = 0;
  let countedTwice = 0;
  try {
    for await (const item of parser as AsyncIterable<{ record: string[]; info: { lines: number; bytes: number } }>) {
      countedTwice += countLineBreaks(item.record);
      if (!columns) {
        columns = readHeader(item.record);
        continue;
      }
      const read = readRecord(columns, item.record, item.info.lines - countedTwice);
      // The parser reads ahead, so its skipped lines are put back in line order.
      while (skipped[0] && skipped[0].line <= item.info.lines)
        batch.push(moveUp(skipped.shift() as RowFault, countedTwice));
      if (read) batch.push(read);
      if (batch.length >= batchRows || item.info.bytes - batchStart >= batchBytes) {
        yield batch;
        batch = [];
        batchStart = item.info.bytes;
      }
    }
  } catch (error) {
    throw asCsvError(error);
  }
  batch.push(...skipped.splice(0).map((fault) => moveUp(fault, countedTwice)));
  if (!columns)
    throw fieldError("file", "EMPTY", "is empty: its first line names the columns, such as customerNumber.");
  if (batch.length > 0) yield batch;
}

/** Returns the CRLFs within the cells of a record. The parser counts each of them as two lines. */
function countLineBreaks(record: string[]): number {
  return record.reduce((count, cell) => (cell.includes("\r\n") ? count + cell.split("\r\n").length - 1 : count), 0);
}

function moveUp(fault: RowFault, lines: number): RowFault {
  return { ...fault, line: fault.line - lines };
}

/** First bytes of the files of spreadsheets: XLSX and ODS, which are ZIP archives, and XLS. */
const WORKBOOKS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];

/** Detects separator and line ends from the header. By default the parser would split every line on all of them. */
async function readDialect(
  source: AsyncIterable<Uint8Array>,
): Promise<{ dialect: Dialect; whole: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const head = await iterator.next();
  const bytes = head.done ? Buffer.alloc(0) : Buffer.from(head.value.subarray(0, MAX_RECORD_BYTES));
  if (WORKBOOKS.includes(bytes.toString("latin1", 0, 4)))
    throw fieldError("file", "NOT_CSV", "is a spreadsheet's own file: save it there as CSV, and send that.");
  return { dialect: dialectOf(bytes.toString("utf8")), whole: rejoin(head, iterator) };
}

async function* rejoin(head: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  for (let item = head; !item.done; item = await rest.next()) yield item.value;
}

function options(dialect: Dialect, skipped: RowFault[]): Options {
  return {
    bom: true,
    info: true,
    ...parserOptionsOf(dialect),
    skip_empty_lines: true,
    relax_column_count: true,
    // Text after a closing quote is accepted: rejecting it would swallow every line after it.
    relax_quotes: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    on_skip: (error) => {
      if (!error) return undefined;
      const line = Number((error as { lines?: number }).lines ?? 0);
      skipped.push({ line, column: "", code: error.code ?? "CSV", message: `The line is not valid CSV: ${QUOTING}` });
      return undefined;
    },
  };
}

function asCsvError(error: unknown): unknown {
  const code = (error as { code?: string }).code;
  if (error instanceof AppError || !code?.startsWith("CSV_")) return error;
  return fieldError("file", code, `is not valid CSV: ${QUOTING}`);
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
