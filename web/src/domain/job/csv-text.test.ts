import { expect, test } from "vitest";
import { decodeText, guessSeparator, readAllLines, readLines } from "./csv-text.ts";

const cellsOf = (text: string) => [...readLines(text)].map(({ cells }) => cells);

test("quotes hold separators, line ends and quotes; blank lines count but give nothing", () => {
  const text = 'a,b\r\n"x, ""y""","two\nlines"\r\n\r\n  ,\nlast,';
  expect([...readLines(text)]).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ['x, "y"', "two\nlines"] },
    { line: 6, cells: ["last", ""] },
  ]);
});

test("separators are told by the first line, not by what its quotes hold", () => {
  expect(guessSeparator('"a,b,c";d\n1,2,3,4')).toBe(";");
  expect(cellsOf("a\tb\n1\t2")).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
});

test("an open quote swallows the rest and ends; text behind a closing quote stays", () => {
  expect(cellsOf('a\n"open')).toEqual([["a"], ["open"]]);
  expect(cellsOf('a,b\n"x"y,z')).toEqual([
    ["a", "b"],
    ["xy", "z"],
  ]);
});

test("a file is read as UTF-8, as UTF-16 by its mark, and otherwise as older spreadsheets write", async () => {
  expect(await decodeText(new TextEncoder().encode("Jürgen"))).toBe("Jürgen");
  expect(await decodeText(new Uint8Array([0x4a, 0xfc, 0x72]))).toBe("Jür");
  expect(await decodeText(new Uint8Array([0xff, 0xfe, 0x4a, 0]))).toBe("J");
});

test("a file that is decoded in parts loses no character where one part ends", async () => {
  const text = `x${"Zürich €".repeat(250_000)}`;
  expect((await decodeText(new TextEncoder().encode(text))) === text).toBe(true);
  const cut = new TextEncoder().encode("Zürich €").slice(0, -1);
  expect(await decodeText(cut)).toBe("ZÃ¼rich â‚");
});

test("no more lines are read than asked for, and it says so", async () => {
  const text = Array.from({ length: 5_000 }, (_, i) => `+1202555${i}`).join("\n");
  expect((await readAllLines(text, 5_000)).isCut).toBe(false);
  const { lines, isCut } = await readAllLines(text, 4_000);
  expect([lines.length, isCut]).toEqual([4_000, true]);
});
