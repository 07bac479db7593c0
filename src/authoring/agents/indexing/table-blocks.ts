import { parse as parseCsv } from "csv-parse/sync";
import { dialectOf, parserOptionsOf } from "#src/platform/kernel/csv-delimiter.ts";
import type { Block } from "./blocks.ts";
import { UnreadableError } from "./unreadable.ts";

/** Longest column name; names are repeated before each value, so longer ones are cut. */
const MAX_NAME_CHARS = 100;

/** Makes a row for each line below the first, with the column's name before each value so that it explains itself. */
export function tableToBlocks(rows: string[][]): Block[] {
  const [header = [], ...lines] = rows;
  if (lines.length === 0) return header.length === 0 ? [] : [toRow(header)];
  const names = header.map((name) => name.trim().slice(0, MAX_NAME_CHARS));
  return lines.map((values) => toRow(values, names)).filter(({ text }) => text !== "");
}

function toRow(values: string[], names: string[] = []): Block {
  const lines = values.map((value, i) => (value.trim() === "" ? "" : nameValue(names[i] ?? "", value.trim())));
  return { kind: "ROW", text: lines.filter(Boolean).join("\n"), header: null, page: null };
}

/** Returns a value with its name before it, where it has one. */
export function nameValue(name: string, value: string): string {
  return name === "" ? value : `${name}: ${value}`;
}

/** Reads a CSV, whose separator and line ends are found as in the CSV of a job (`dialectOf`). */
export function csvToBlocks(text: string): Block[] {
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true } as const;
  let rows: string[][];
  try {
    rows = parseCsv(text, { ...options, ...parserOptionsOf(dialectOf(text)) });
  } catch {
    throw new UnreadableError("It is not a CSV that can be read: a quoted value does not end.");
  }
  return tableToBlocks(rows);
}
