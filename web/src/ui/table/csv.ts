import type { Column } from "./columns.ts";

const FORMULA = /^[=+\-@\t\r\0＝＋－＠]/;
const PHONE_NUMBER = /^\+\d{6,15}$/;

/** The rows as CSV; a cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export function toCsv<T>(rows: T[], columns: Column<T>[]): string {
  const shown = columns.filter(({ value }) => value !== undefined);
  const lines = [shown.map(({ header }) => toCell(header))];
  for (const row of rows) lines.push(shown.map(({ value }) => toCell(value?.(row) ?? null)));
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) && !PHONE_NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, text: string, type = "text/csv;charset=utf-8"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
