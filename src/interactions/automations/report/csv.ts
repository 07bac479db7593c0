import { csvCell } from "#src/platform/kernel/csv-cell.ts";
import { flatten } from "./flatten.ts";
import type { ReportRow } from "./report-row.ts";

const COLUMNS: [string, (row: ReportRow) => unknown][] = [
  ["line", (row) => row.line],
  ["id", (row) => row.id],
  ["jobId", (row) => row.job_id],
  ["externalId", (row) => row.external_id],
  ["customerNumber", (row) => row.customer_number],
  ["fromPhoneNumber", (row) => row.from_number],
  ["contactName", (row) => row.contact_name],
  ["contactEmail", (row) => row.contact_email],
  ["status", (row) => row.status],
  ["outcome", (row) => row.outcome],
  ["endReason", (row) => row.end_reason],
  ["answeredBy", (row) => row.answered_by],
  ["attempts", (row) => row.attempts_made],
  ["maxAttempts", (row) => row.max_attempts],
  ["createdAt", (row) => row.created_at],
  ["startedAt", (row) => row.started_at],
  ["answeredAt", (row) => row.answered_at],
  ["endedAt", (row) => row.ended_at],
  ["durationSeconds", (row) => (row.duration_ms === null ? null : row.duration_ms / 1000)],
  ["errorCode", (row) => row.error?.code],
];

/**
 * Returns the header of a table: a byte order mark that lets spreadsheets read UTF-8, the fixed columns and the
 * extracted ones.
 */
export function csvHeader(extracted: readonly string[]): string {
  return `\uFEFF${[...COLUMNS.map(([name]) => name), ...extracted.map((path) => `extracted.${path}`)].map(csvCell).join(",")}\r\n`;
}

/** Returns the line of a call. */
export function csvLine(row: ReportRow, extracted: readonly string[]): string {
  const values = new Map(flatten(row.extracted_fields));
  const cells = [...COLUMNS.map(([, read]) => read(row)), ...extracted.map((path) => values.get(path))];
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A call in a JSON export: the columns by name, and the sent and extracted data unchanged. */
export function toJsonRow(row: ReportRow): Record<string, unknown> {
  const plain = COLUMNS.map(([name, read]): [string, unknown] => [name, read(row) ?? null]);
  return { ...Object.fromEntries(plain), rowData: row.row_data, extractedFields: row.extracted_fields ?? {} };
}
