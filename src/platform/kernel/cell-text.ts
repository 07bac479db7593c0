/** Days from which a spreadsheet counts (ECMA-376, 18.17.4.1); a time of day is a part of that day. */
const FIRST_DAYS = ["1899-12-30", "1904-01-01"];
/** Digits of a number that spreadsheets show; further ones are remains of their arithmetic, such as of 0.1 + 0.2. */
const DIGITS = 15;

/** Returns a cell of a spreadsheet as a text: "" for none, 2026-11-21 for a day, 09:30 for a time, 2026-11-21 09:30. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : dateText(cell);
  if (typeof cell === "number") return String(Number(cell.toPrecision(DIGITS)));
  return String(cell as string | boolean);
}

/** Names no zone: a cell has none. */
function dateText(cell: Date): string {
  const seconds = Math.round(cell.getTime() / 1_000);
  const [day = "", instant = ""] = new Date(seconds * 1_000).toISOString().split("T");
  const time = instant.slice(0, 8).replace(/:00$/, "");
  const isMidnight = time === "00:00";
  if (day === FIRST_DAYS[0] || (day === FIRST_DAYS[1] && !isMidnight)) return time;
  return isMidnight ? day : `${day} ${time}`;
}
