import { expect, test } from "vitest";
import { renderTable } from "./table.ts";

const ID = "970e5019-a4cf-566d-abc7-058f7bfdab87";

test("columns align by what a terminal shows, wide characters included", () => {
  const lines = renderTable(
    ["name", "state"],
    [
      ["Ada", "A"],
      ["渡辺", "B"],
      ["Zoë", "C"],
    ],
  ).split("\n");
  // Two characters of two columns each, so the line has two characters less.
  expect(lines.map((line) => line.search(/state|[ABC]$/))).toEqual([6, 6, 4, 6]);
});

test("texts are cut at the terminal's width, the longest first, and ids never", () => {
  const long = "says that he would rather be called on Monday in the morning than on any other day of the week";
  const table = renderTable(["id", "state", "words", "note"], [[ID, "DONE", long, "short one"]], 80);
  const [, line = ""] = table.split("\n");
  expect(line.length).toBeLessThanOrEqual(80);
  expect(line).toContain(ID);
  expect(line).toMatch(/DONE +says that/);
  expect(line).toContain("…  short one");
});

test("a pipe gets everything, and a terminal that is far too narrow still gets the ids", () => {
  const long = "a text of many words that is longer than any narrow terminal";
  expect(renderTable(["id", "words"], [[ID, long]])).toContain(long);
  expect(renderTable(["id", "words"], [[ID, long]], 20)).toContain(ID);
});

test("what a name holds cannot control the terminal", () => {
  expect(renderTable(["name"], [["a\u001b[2Jb\u0007"]], 80)).toBe("name\na [2Jb");
});
