import { expect, test } from "vitest";
import { cutAround, splitText } from "./split-text.ts";

test("the parts of a text are the text, end at blanks, and cut no character in two", () => {
  for (const text of ["short", "word ".repeat(9_000), "x".repeat(30_000), `x${"😀".repeat(12_000)}`]) {
    const parts = splitText(text);
    expect(parts.join("") === text).toBe(true);
    expect(parts.every((part) => part.length <= 10_000 && part.isWellFormed())).toBe(true);
  }
  expect(splitText("word ".repeat(9_000)).every((part) => part.endsWith(" "))).toBe(true);
  expect(splitText("")).toEqual([]);
});

test("what is shown of a long text is its beginning, or what stands around the words that were looked for", () => {
  const text = `${"a ".repeat(5_000)}needle${" b".repeat(5_000)}`;
  expect(cutAround(text, "", 100)).toBe(`${"a ".repeat(50)}…`);
  expect(cutAround(text, "NEEDLE", 100)).toMatch(/^….*a needle b.*…$/);
  expect(cutAround(text, "nothing", 100)).toBe(`${"a ".repeat(50)}…`);
  expect(cutAround("😀".repeat(3_000), "", 101).slice(0, -1).isWellFormed()).toBe(true);
});
