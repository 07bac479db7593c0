import { fieldError, toError } from "#src/platform/kernel/errors.ts";
import { runOffThread } from "#src/platform/kernel/off-thread.ts";
import { fileNameKey } from "./file-name.ts";
import type { MatchBy, SheetRow } from "./sheet-rows.ts";

/** The largest spreadsheet that may be uploaded, in bytes. */
export const MAX_SHEET_BYTES = 10 * 1024 * 1024;
const MAX_ROWS = 100_000;
const MAX_COLUMNS = 100;
const MAX_NAME_CHARACTERS = 100;
const MAX_CELL_CHARACTERS = 2_000;
const MAX_KEY_CHARACTERS = 500;
const WORKER = new URL("./spreadsheet-worker.ts", import.meta.url);
const LIMITS = { timeoutMs: 30_000, maxHeapMb: 384 };

/** Headings of the columns that name a recording, without spaces, hyphens and underscores. */
const KEY_COLUMNS: ReadonlyMap<string, MatchBy> = new Map([
  ["externalid", "EXTERNAL_ID"],
  ["filename", "FILE_NAME"],
  ["file", "FILE_NAME"],
  ["recording", "FILE_NAME"],
]);

/** The content of a spreadsheet for recordings. */
export interface Spreadsheet {
  /** Headings of the columns that become metadata. */
  columns: string[];
  rows: SheetRow[];
  /** Number of lines that name a recording. */
  lines: number;
}

/** Reads an uploaded CSV or XLSX in a thread of its own. Throws a 422 with the reason when it cannot be used. */
export async function readSpreadsheet(path: string): Promise<Spreadsheet> {
  let cells: string[][];
  try {
    cells = (await runOffThread(WORKER, { path }, LIMITS)) as string[][];
  } catch (error) {
    const { message } = toError(error);
    throw fieldError(
      "file",
      "SPREADSHEET",
      /^(is|has) /.test(message) ? message : "could not be read within its limits.",
    );
  }
  return toSpreadsheet(cells);
}

/** Turns cells into rows by recording; the first line holds the headings. */
export function toSpreadsheet(cells: string[][]): Spreadsheet {
  const [header = [], ...lines] = cells;
  const columns = readHeader(header);
  if (lines.length > MAX_ROWS) throw fieldError("file", "TOO_MANY_ROWS", `has more than ${MAX_ROWS} rows.`);
  const seen = new Set<string>();
  const rows: SheetRow[] = [];
  let named = 0;
  lines.forEach((line, i) => {
    const found = readLine(columns, line, i + 2);
    if (found.length > 0) named++;
    for (const row of found) {
      const key = `${row.matchBy}|${row.matchKey}`;
      if (seen.has(key)) throw fieldError("file", "DUPLICATE_ROW", `names ${row.matchKey} again in line ${i + 2}.`);
      seen.add(key);
      rows.push(row);
    }
  });
  return { columns: columns.filter((column) => !column.matchBy).map((column) => column.name), rows, lines: named };
}

interface Column {
  name: string;
  matchBy: MatchBy | null;
}

function readHeader(names: string[]): Column[] {
  if (names.length > MAX_COLUMNS) throw fieldError("file", "TOO_MANY_COLUMNS", `has more than ${MAX_COLUMNS} columns.`);
  const seen = new Set<string>();
  const columns = names.map((text, i): Column => {
    const name = clean(text).trim();
    const matchBy = KEY_COLUMNS.get(name.toLowerCase().replaceAll(/[\s_-]/g, "")) ?? null;
    if (name === "") throw fieldError("file", "COLUMN_NAME", `has no heading in column ${i + 1}.`);
    if (name.length > MAX_NAME_CHARACTERS || name === "__proto__") {
      throw fieldError("file", "COLUMN_NAME", `has a heading that is not allowed: ${name.slice(0, 50)}`);
    }
    const key = matchBy ?? name;
    if (seen.has(key)) throw fieldError("file", "DUPLICATE_COLUMN", `has the column ${name} twice.`);
    seen.add(key);
    return { name, matchBy };
  });
  if (columns.some((column) => column.matchBy)) return columns;
  throw fieldError("file", "MISSING_COLUMN", "needs a column fileName or externalId in its first line.");
}

function readLine(columns: Column[], line: string[], number: number): SheetRow[] {
  const cells: Record<string, string> = {};
  const keys: { matchBy: MatchBy; matchKey: string }[] = [];
  columns.forEach(({ name, matchBy }, i) => {
    const cell = clean(line[i] ?? "").trim();
    if (cell === "") return;
    if (cell.length > (matchBy ? MAX_KEY_CHARACTERS : MAX_CELL_CHARACTERS)) {
      throw fieldError("file", "CELL_TOO_LONG", `has a cell that is too long in line ${number}, column ${name}.`);
    }
    if (!matchBy) cells[name] = cell;
    else keys.push({ matchBy, matchKey: matchBy === "FILE_NAME" ? fileNameKey(cell) : cell });
  });
  return keys.filter(({ matchKey }) => matchKey !== "").map((key) => ({ ...key, cells }));
}

/** Returns a text that the database can store. */
function clean(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
