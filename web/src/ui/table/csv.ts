import type { Column } from "./columns.ts";

const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;
const PHONE_NUMBER = /^\+\d{6,15}$/;

/** The rows as CSV; a cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export function toCsv<T>(rows: T[], columns: Column<T>[]): string {
  const shown = columns.filter(({ value }) => value !== undefined);
  const lines = rows.map((row) => toCsvLine(shown.map(({ value }) => value?.(row) ?? null)));
  return [toCsvLine(shown.map(({ header }) => header)), ...lines].join("");
}

/** Returns one line of CSV with its end. */
export function toCsvLine(cells: (string | number | null)[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) && !PHONE_NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Makes a file of lines of CSV. It begins with a byte order mark, by which Excel knows UTF-8. */
export function toCsvFile(parts: string[]): Blob {
  return new Blob(["\uFEFF", ...parts], { type: "text/csv;charset=utf-8" });
}

/** Hands a CSV to the browser as a file. */
export function saveCsv(name: string, text: string): void {
  saveBlob(name, toCsvFile([text]));
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Hands a file to the browser. */
export function saveBlob(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
