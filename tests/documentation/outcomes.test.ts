import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { END_REASONS } from "#src/engine/conversation/plan.ts";
import { ROW_OUTCOMES } from "#src/interactions/calls/states.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";
import { ROOT } from "../kit/repository.ts";

const FOLDER = join(ROOT, "docs");

/** Values by the word at the head of a table's first column. */
const VALUES: Record<string, readonly string[]> = {
  outcome: ROW_OUTCOMES,
  endReason: END_REASONS,
};

/** Returns the words in capitals of the first column of each table whose head names a field of a call. */
function readTables(page: string): [field: string, word: string][] {
  const tables = [...page.matchAll(/^\| `?(outcome|endReason)`? \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/gm)];
  return tables.flatMap(([, field = "", rows = ""]) =>
    rows.split("\n").flatMap((row) => {
      const [, first = ""] = row.split("|");
      return (first.match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? []).map((word): [string, string] => [field, word]);
    }),
  );
}

test("tables of outcomes and end reasons name values that a call has", () => {
  const found = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => readTables(readFileSync(join(FOLDER, name), "utf8")).map((one) => [name, ...one] as const));
  expect(found.filter(([, field, word]) => !VALUES[field]?.includes(word))).toEqual([]);
  expect(found.length).toBeGreaterThan(8);
});

test("what is said to be SKIPPED with a code names a reason of the gate", () => {
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
  const codes = pages.flatMap((name) =>
    [...readFileSync(join(FOLDER, name), "utf8").matchAll(/SKIPPED\s+with\s+([A-Z_]+)/g)].map(([, code]) => code ?? ""),
  );
  expect(codes.length).toBeGreaterThan(2);
  expect(codes.filter((code) => !(code in GATE_REASONS))).toEqual([]);
});
