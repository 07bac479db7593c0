import { expect, test } from "vitest";
import { readSearch } from "./search.ts";

test.each([
  ["Anna Müller", [{ word: "Anna" }, { word: "Müller" }]],
  ["  o'neil-smith ", [{ word: "o" }, { word: "neil" }, { word: "smith" }]],
  ["a b c d e f g", ["a", "b", "c", "d", "e"].map((word) => ({ word }))],
  ["Anna 0100", [{ word: "Anna" }, { word: "0100", digits: "0100" }]],
  ["Contact 12", [{ word: "Contact" }, { word: "12" }]],
  [`x${"9".repeat(80)}`, [{ word: `x${"9".repeat(59)}` }]],
])("names: %j", (text, parts) => {
  expect(readSearch(text)).toEqual(parts);
});

test.each([
  ["+1 (202) 555", [{ start: "+1202555" }]],
  ["(+49) 30", [{ start: "+4930" }]],
  ["0049 30 1", [{ start: "+49301" }]],
  ["030 123-456", [{ digits: "30123456" }]],
  ["0100", [{ digits: "0100" }]],
  ["555.01", [{ digits: "55501" }]],
  ["44", [{ start: "+44" }]],
  [`+${"1".repeat(40)}`, [{ start: `+${"1".repeat(15)}` }]],
])("numbers: %j", (text, parts) => {
  expect(readSearch(text)).toEqual(parts);
});

test.each(["", "  ", "+", "-- ()", ".,;'"])("nothing to look for in %j", (text) => {
  expect(readSearch(text)).toEqual([]);
});
