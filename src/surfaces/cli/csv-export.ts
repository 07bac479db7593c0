import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CallRow } from "@parley/sdk";
import { csvCell } from "#src/platform/kernel/csv-cell.ts";

const FIXED: [string, (row: CallRow) => unknown][] = [
  ["rowId", (row) => row.id],
  ["line", (row) => row.line],
  ["externalId", (row) => row.externalId],
  ["customerNumber", (row) => row.customerNumber],
  ["contactName", (row) => row.contactName],
  ["contactEmail", (row) => row.contactEmail],
  ["status", (row) => row.status],
  ["outcome", (row) => row.outcome],
  ["endReason", (row) => row.endReason],
  ["attempts", (row) => row.attempt],
  ["fromPhoneNumber", (row) => row.fromPhoneNumber],
  ["startedAt", (row) => row.startedAt],
  ["endedAt", (row) => row.endedAt],
  ["durationSeconds", (row) => row.durationSeconds],
  ["error", (row) => row.error?.message],
  ["contextData", (row) => row.contextData],
];

/** Columns of an export: the fixed ones, then one for each key of rowData and of the extracted fields. */
interface ExportColumns {
  rowData: Set<string>;
  extracted: Set<string>;
}

/** Adds the keys of a row. */
function noteColumns(columns: ExportColumns, row: CallRow): void {
  for (const key of Object.keys(row.rowData ?? {})) columns.rowData.add(key);
  for (const key of Object.keys(row.extractedFields)) columns.extracted.add(key);
}

/** Returns the header line, with its line end. */
function renderHeader(columns: ExportColumns): string {
  const names = [
    ...FIXED.map(([name]) => name),
    ...[...columns.rowData].map((key) => `rowData.${key}`),
    ...[...columns.extracted].map((key) => `extracted.${key}`),
  ];
  return `${names.map(csvCell).join(",")}\r\n`;
}

/** Returns the line of a row, with its line end. */
function renderRow(columns: ExportColumns, row: CallRow): string {
  const values = [
    ...FIXED.map(([, read]) => read(row)),
    ...[...columns.rowData].map((key) => row.rowData?.[key]),
    ...[...columns.extracted].map((key) => row.extractedFields[key]),
  ];
  return `${values.map(csvCell).join(",")}\r\n`;
}

/**
 * Writes rows as CSV. The columns are known only after the last row, so rows wait in a temporary file, readable by this
 * user only: memory stays flat for a million rows, and each page is requested from the API once. The file has no name
 * any more when the first row is written: Ctrl-C, or a reader such as `head` that goes away, leaves nothing of it.
 */
export async function exportCsv(rows: AsyncIterable<CallRow>, write: (text: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-export-"));
  const columns: ExportColumns = { rowData: new Set(), extracted: new Set() };
  const file = await open(join(folder, "rows.ndjson"), "wx+", 0o600);
  try {
    await rm(folder, { recursive: true });
    await file.writeFile(toLines(rows, columns));
    await write(renderHeader(columns));
    const input = createReadStream("", { fd: file.fd, start: 0, autoClose: false });
    for await (const line of createInterface({ input })) {
      await write(renderRow(columns, JSON.parse(line) as CallRow));
    }
  } finally {
    await file.close();
  }
}

async function* toLines(rows: AsyncIterable<CallRow>, columns: ExportColumns): AsyncGenerator<string> {
  for await (const row of rows) {
    noteColumns(columns, row);
    // Only members that are written later: transcripts would fill the disk. JSON may hold U+2028 and U+2029 as they
    // are, at which readline would end the line.
    const kept = { ...row, transcript: [], transcriptText: "", structuredOutputs: {}, attempts: [] };
    yield `${JSON.stringify(kept).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
  }
}
