import { Breather } from "#web/domain/job/breather.ts";
import type { CsvLine } from "#web/domain/job/csv-text.ts";
import type { ColumnMapping, Target } from "#web/domain/job/mapping.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { t } from "#web/i18n/t.ts";

/** Reason why a line is not called. */
export interface LineFault {
  line: number;
  column: string;
  message: string;
}

/** A person to call. */
export interface ContactRow {
  customerNumber: string;
  contactName?: string;
  contactEmail?: string;
  externalId?: string;
  timeZone?: string;
  /** As written when it is not a whole number; the server then reports the fault. */
  priority?: number | string;
  rowData?: Record<string, string>;
  /** The JSON text as written, so that it comes back unchanged. */
  contextText?: string;
}

/** Rows made from a file, and the lines that could not be used. */
export interface Contacts {
  rows: ContactRow[];
  /** The line of the file that each row came from. */
  lines: number[];
  faults: LineFault[];
  /** Numbers that were converted to E.164. */
  tidied: number;
  /** Lines whose number was in an earlier line. */
  repeated: number;
  /** Lines that became no row: those with a fault, and repeated ones where these are skipped. */
  leftOut: number;
}

/** Rules for turning lines into rows. */
export interface ContactRules {
  columns: ColumnMapping[];
  /** Put before numbers without a +, such as +1; empty: none. */
  countryCode: string;
  /** Leaves out lines whose number was in an earlier line. */
  skipsRepeated: boolean;
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** Makes rows of the lines without blocking the page; `signal` stops it when the rules change meanwhile. */
export async function makeContacts(lines: CsvLine[], rules: ContactRules, signal?: AbortSignal): Promise<Contacts> {
  const made: Contacts = { rows: [], lines: [], faults: [], tidied: 0, repeated: 0, leftOut: 0 };
  const seen = new Set<string>();
  const breather = new Breather();
  for (const line of lines) {
    if (breather.isDue) await breather.rest();
    signal?.throwIfAborted();
    addLine(made, seen, line, rules);
  }
  made.leftOut = lines.length - made.rows.length;
  return made;
}

function addLine(made: Contacts, seen: Set<string>, { line, cells }: CsvLine, rules: ContactRules): void {
  const { columns } = rules;
  if (cells.length !== columns.length) {
    const message = t`The line has ${cells.length} cells; the header has ${columns.length}.`;
    return void made.faults.push({ line, column: "", message });
  }
  const row = toRow(columns, cells);
  if (typeof row === "string")
    return void made.faults.push({ line, column: headerOf("contextData", columns), message: row });
  const number = tidyNumber(row.customerNumber, rules.countryCode);
  if (!E164.test(number)) {
    const message = number === "" ? t`There is no phone number.` : explainNumber(row.customerNumber, number);
    return void made.faults.push({ line, column: headerOf("customerNumber", columns), message });
  }
  if (number !== row.customerNumber) made.tidied++;
  if (seen.has(number)) {
    made.repeated++;
    if (rules.skipsRepeated) return;
  }
  seen.add(number);
  made.rows.push({ ...row, customerNumber: number });
  made.lines.push(line);
}

/** Returns the file's own name of the column that fills a field. */
function headerOf(target: Target, columns: ColumnMapping[]): string {
  return columns.find((column) => column.target === target)?.header ?? target;
}

/** Explains a number that is refused; `tidied`: what was made of its text. */
function explainNumber(text: string, tidied: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  if (/e\+?\d+$/i.test(text))
    return t`${shown} was cut short by a spreadsheet. Format the column as text and export it again.`;
  return /^\+[1-9]\d*$/.test(tidied)
    ? t`${shown} is too short or too long for a phone number.`
    : t`${shown} is not a number with its country code, such as +12025550100.`;
}

function toRow(columns: ColumnMapping[], cells: string[]): ContactRow | string {
  const row: ContactRow = { customerNumber: "" };
  const rowData: Record<string, string> = {};
  for (const [index, { target, variable }] of columns.entries()) {
    const cell = (cells[index] ?? "").trim();
    if (target === "VARIABLE") rowData[variable] = cell;
    if (target === "IGNORE" || target === "VARIABLE" || cell === "") continue;
    if (target === "contextData") {
      if (!isObject(cell)) return t`The context data is not a JSON object.`;
      row.contextText = cell;
    } else if (target === "priority") row.priority = toPriority(cell);
    else row[target] = cell;
  }
  if (Object.keys(rowData).length > 0) row.rowData = rowData;
  return row;
}

/** Converts a whole number; any other text is left for the server to refuse, with its line. */
function toPriority(cell: string): number | string {
  return /^\d+$/.test(cell) ? Number(cell) : cell;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Converts a number as people write it to E.164: without spaces and brackets, 00 as +, and with the country code. */
export function tidyNumber(text: string, countryCode: string): string {
  const digits = toPlainNumber(text);
  if (digits === "" || digits.startsWith("+")) return digits;
  const code = countryCode.replaceAll(/\D/g, "");
  if (code === "" || !/^\d+$/.test(digits)) return digits;
  if (code === "1") return digits.length === 11 && digits.startsWith("1") ? `+${digits}` : `+1${digits}`;
  // Italy dials the zero of its numbers from abroad, too.
  return `+${code}${code === "39" ? digits : digits.replace(/^0/, "")}`;
}
