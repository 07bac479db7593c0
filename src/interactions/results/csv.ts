import { csvCell } from "#src/platform/kernel/csv-cell.ts";
import type { Results } from "./results.ts";

/** Tables of results that can be written as CSV. */
export const TABLES = ["funnel", "hours", "fields", "versions", "numbers", "outcomes", "reasons", "tools"] as const;
export type Table = (typeof TABLES)[number];

type Cell = string | number | null;
type Row = Record<string, Cell>;

/** Writes a table of results as CSV (RFC 4180): a byte order mark, by which Excel knows UTF-8, a header, rows. */
export function writeTable(results: Results, table: Table): string {
  const rows = ROWS[table](results);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => csvCell(row[name])).join(","));
  return `\uFEFF${[names.join(","), ...lines].map((line) => `${line}\r\n`).join("")}`;
}

const ROWS: Record<Table, (results: Results) => Row[]> = {
  funnel: ({ funnel, currency }) => [{ ...flatten(funnel), currency }],
  hours: ({ hours }) => hours.map((hour) => ({ ...hour })),
  fields: ({ fields }) => fields.flatMap(listFieldRows),
  versions: ({ versions }) => versions.map(flatten),
  numbers: ({ numbers }) => numbers.map(flatten),
  outcomes: ({ outcomes }) => outcomes.map((outcome) => ({ ...outcome })),
  reasons: ({ reasons }) => reasons.map((reason) => ({ ...reason })),
  tools: ({ tools }) => tools.map((tool) => ({ ...tool })),
};

function listFieldRows({ field, type, values, numbers, otherValues }: Results["fields"][number]): Row[] {
  const row = (value: Cell, count: number): Row => ({ field, type, value, from: null, to: null, count });
  const bins = numbers?.histogram ?? [];
  return [
    ...values.map(({ value, count }) => row(value, count)),
    ...bins.map(({ from, to, count }) => ({ ...row(null, count), from, to })),
    ...(otherValues > 0 ? [row("(others)", otherValues)] : []),
  ];
}

/** Replaces the interval of a rate by three columns. */
function flatten<Part extends { successRate: { value: number; low: number; high: number } | null }>(part: Part): Row {
  const { successRate, ...rest } = part;
  return {
    ...(rest as unknown as Row),
    successRate: successRate?.value ?? null,
    successRateLow: successRate?.low ?? null,
    successRateHigh: successRate?.high ?? null,
  };
}
