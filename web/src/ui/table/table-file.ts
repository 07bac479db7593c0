import type { Column } from "./columns.ts";
import { toCsvFile, toCsvLine } from "./csv.ts";

/** Kinds of files that a list is saved as. */
export type FileKind = "csv" | "xlsx";

/** A file that grows by rows. */
export interface TableFile<T> {
  add(rows: T[]): Promise<void>;
  finish(): Promise<Blob>;
}

/** Begins a file of the columns that have a value, with their headers. */
export async function beginFile<T>(kind: FileKind, columns: Column<T>[]): Promise<TableFile<T>> {
  const shown = columns.filter(({ value }) => value !== undefined);
  const headers = shown.map(({ header }) => header);
  const cellsOf = (row: T) => shown.map(({ value }) => value?.(row) ?? null);
  if (kind === "xlsx") {
    const { Workbook } = await import("./xlsx.ts");
    const workbook = new Workbook();
    await workbook.add([headers]);
    return { add: (rows) => workbook.add(rows.map(cellsOf)), finish: () => workbook.finish() };
  }
  const parts = [toCsvLine(headers)];
  return {
    add: async (rows) => void parts.push(rows.map((row) => toCsvLine(cellsOf(row))).join("")),
    finish: async () => toCsvFile(parts),
  };
}
