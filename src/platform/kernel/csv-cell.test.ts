import { expect, test } from "vitest";
import { csvCell } from "./csv-cell.ts";

test.each([
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["＝1+1", "'＝1+1"],
  ["+1 202", "'+1 202"],
  ["\n=1", `"'\n=1"`],
])("a spreadsheet does not run %j", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test.each([
  ["+12025550100", "+12025550100"],
  [-5, "-5"],
  ["-3.5", "-3.5"],
  ["Müller, Jörg", '"Müller, Jörg"'],
  ['said "yes"', '"said ""yes"""'],
  ["two\nlines", '"two\nlines"'],
  ["", ""],
  [null, ""],
  [undefined, ""],
  [false, "false"],
  [{ a: 1 }, '"{""a"":1}"'],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
])("%j is written %j", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
