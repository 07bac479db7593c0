import { Breather } from "#web/domain/job/breather.ts";
import type { CsvLine } from "#web/domain/job/csv-text.ts";
import type { ColumnMapping } from "#web/domain/job/mapping.ts";

/** Why a line is not called. */
export interface LineFault {
  line: number;
  column: string;
  message: string;
}

/** One person to call. */
export interface ContactRow {
  customerNumber: string;
  contactName?: string;
  contactEmail?: string;
  externalId?: string;
  timeZone?: string;
  /** As it was written where it is no whole number: the server tells what is wrong with it. */
  priority?: number | string;
  rowData?: Record<string, string>;
  /** The JSON text as it was written, so that it comes back unchanged. */
  contextText?: string;
}

/** The rows that a file gives, and the lines that give none. */
export interface Contacts {
  rows: ContactRow[];
  /** The line of the file that each row came from. */
  lines: number[];
  faults: LineFault[];
  /** Numbers that were written another way and are E.164 now. */
  tidied: number;
  /** Lines whose number stood in an earlier one. */
  repeated: number;
}

/** How lines become rows. */
export interface ContactRules {
  columns: ColumnMapping[];
  /** Put before numbers without a +, such as +1; empty: none. */
  countryCode: string;
  /** Leaves out lines whose number stood in an earlier one. */
  skipsRepeated: boolean;
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** Makes rows of the lines without holding the page up; `signal` ends it when the rules changed meanwhile. */
export async function makeContacts(lines: CsvLine[], rules: ContactRules, signal?: AbortSignal): Promise<Contacts> {
  const made: Contacts = { rows: [], lines: [], faults: [], tidied: 0, repeated: 0 };
  const seen = new Set<string>();
  const breather = new Breather();
  for (const line of lines) {
    if (breather.isDue) await breather.rest();
    signal?.throwIfAborted();
    addLine(made, seen, line, rules);
  }
  return made;
}

function addLine(made: Contacts, seen: Set<string>, { line, cells }: CsvLine, rules: ContactRules): void {
  const { columns } = rules;
  if (cells.length !== columns.length) {
    const message = `The line has ${cells.length} cells; the header has ${columns.length}.`;
    return void made.faults.push({ line, column: "", message });
  }
  const row = toRow(columns, cells);
  if (typeof row === "string") return void made.faults.push({ line, column: "contextData", message: row });
  const number = tidyNumber(row.customerNumber, rules.countryCode);
  if (!E164.test(number)) {
    const message = number === "" ? "There is no phone number." : explainNumber(row.customerNumber);
    return void made.faults.push({ line, column: "customerNumber", message });
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

function explainNumber(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return /e\+?\d+$/i.test(text)
    ? `${shown} was cut short by a spreadsheet. Format the column as text and export it again.`
    : `${shown} is not a number with its country code, such as +12025550100.`;
}

function toRow(columns: ColumnMapping[], cells: string[]): ContactRow | string {
  const row: ContactRow = { customerNumber: "" };
  const rowData: Record<string, string> = {};
  for (const [index, { target, variable }] of columns.entries()) {
    const cell = (cells[index] ?? "").trim();
    if (target === "VARIABLE") rowData[variable] = cell;
    if (target === "IGNORE" || target === "VARIABLE" || cell === "") continue;
    if (target === "contextData") {
      if (!isObject(cell)) return "The context data is not a JSON object.";
      row.contextText = cell;
    } else if (target === "priority") row.priority = toPriority(cell);
    else row[target] = cell;
  }
  if (Object.keys(rowData).length > 0) row.rowData = rowData;
  return row;
}

/** What is no whole number is left to the server to refuse, with its line. */
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

/** A number as people write it, as E.164: without spaces and brackets, 00 as +, and with the country's code. */
export function tidyNumber(text: string, countryCode: string): string {
  const digits = text.trim().replaceAll(/\(0\)|[\s().\-/\u00A0]/g, "");
  if (digits === "" || digits.startsWith("+")) return digits;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  const code = countryCode.replaceAll(/\D/g, "");
  if (code === "" || !/^\d+$/.test(digits)) return digits;
  if (code === "1") return digits.length === 11 && digits.startsWith("1") ? `+${digits}` : `+1${digits}`;
  // Italy dials the zero of its numbers from abroad, too.
  return `+${code}${code === "39" ? digits : digits.replace(/^0/, "")}`;
}
