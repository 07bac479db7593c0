/** First characters that make a spreadsheet run a cell as a formula, full-width forms included. */
const FORMULA = new Set("=+-@\t\r\n\u0000＝＋－＠");
/** Numbers are harmless, E.164 numbers among them. */
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * Returns one cell of a CSV (RFC 4180): a date as ISO 8601, an object as JSON, nothing for null. Text that a spreadsheet
 * would run gets an apostrophe in front. Numbers, phone numbers included, stay as they are.
 */
export function csvCell(value: unknown): string {
  let text = toText(value);
  if (typeof value !== "number" && FORMULA.has(text.charAt(0)) && !PLAIN_NUMBER.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
}
