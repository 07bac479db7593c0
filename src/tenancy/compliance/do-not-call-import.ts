import { parse } from "csv-parse/sync";
import { csvCell } from "#src/platform/kernel/csv-cell.ts";
import { dialectOf, parserOptionsOf } from "#src/platform/kernel/csv-delimiter.ts";
import { toLikelyE164 } from "#src/platform/kernel/e164.ts";
import { AppError } from "#src/platform/kernel/errors.ts";

/** Lines of one import at most, and characters of its text. */
export const MAX_IMPORT_LINES = 50_000;
export const MAX_IMPORT_CHARACTERS = 2_000_000;
const MAX_SHOWN_ERRORS = 100;
const MAX_NOTE = 500;

/** A line of an import that was left out, with the reason. Lines count from 1, the header included. */
export interface ImportError {
  line: number;
  code: "NUMBER" | "NOTE";
  message: string;
}

/** Entries read from a CSV, and its faulty lines. */
export interface ReadImport {
  entries: { number: string; note: string | null }[];
  errors: ImportError[];
  errorCount: number;
}

/**
 * Reads a CSV of numbers in E.164 with a header `number` and optionally `note`; a file without a header holds numbers
 * in its first column. Separator and line ends are found as in the CSV of a job (`dialectOf`). Numbers may be written as
 * people write them (`toLikelyE164`). A faulty line is reported and left out; 422 when the text is no CSV at all, has no
 * column `number`, or more than 50,000 lines.
 */
export function readImport(csv: string): ReadImport {
  const rows = parseRows(csv);
  const header = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const hasHeader = toLikelyE164(header[0] ?? "") === null;
  const numberAt = hasHeader ? header.indexOf("number") : 0;
  const noteAt = hasHeader ? header.indexOf("note") : 1;
  if (numberAt < 0) throw refuse("The first line names no column `number`.");
  const read: ReadImport = { entries: [], errors: [], errorCount: 0 };
  for (const { cells, line } of hasHeader ? rows.slice(1) : rows) {
    const number = toLikelyE164(cells[numberAt] ?? "");
    const note = (noteAt < 0 ? "" : (cells[noteAt] ?? "")).trim().replaceAll("\u0000", "").toWellFormed();
    if (number === null)
      addError(read, { line, code: "NUMBER", message: "is no number in E.164, such as +12025550100." });
    else if (note.length > MAX_NOTE)
      addError(read, { line, code: "NOTE", message: `has a note longer than ${MAX_NOTE} characters.` });
    else read.entries.push({ number, note: note === "" ? null : note });
  }
  return read;
}

function parseRows(csv: string): { cells: string[]; line: number }[] {
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
    const form = parserOptionsOf(dialectOf(csv));
    const delimiter = separatorAfterNumber(csv) ?? form.delimiter;
    rows = parse(csv, { ...options, ...form, delimiter, to: MAX_IMPORT_LINES + 2 }) as unknown as typeof rows;
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.slice(0, 300) : "It is no CSV.");
  }
  if (rows.length > MAX_IMPORT_LINES + 1)
    throw refuse(`It has more than ${MAX_IMPORT_LINES} lines; import it in parts.`);
  return rows.map(({ record, info }) => ({ cells: record, line: info.lines }));
}

/** Returns what follows the number of a first line that is no header: the note behind it may hold the other marks. */
function separatorAfterNumber(csv: string): string | null {
  const [, first = "", mark] = /^\s*([^,;\t\r\n]*)([,;\t]?)/.exec(csv) ?? [];
  return mark && toLikelyE164(first.replaceAll('"', "")) !== null ? mark : null;
}

function addError(read: ReadImport, error: ImportError): void {
  read.errorCount++;
  if (read.errors.length < MAX_SHOWN_ERRORS) read.errors.push(error);
}

function refuse(message: string): AppError {
  return new AppError("VALIDATION_FAILED", "The CSV cannot be imported.", [{ path: "csv", code: "CSV", message }]);
}

/** Writes one line of the export, which an import accepts. */
export function toLine(cells: (string | null)[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}
