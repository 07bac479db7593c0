import { expect, test } from "vitest";
import { diffLines } from "#src/surfaces/cli/flow-files/line-diff.ts";

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

test("each hunk says where it begins and how many lines it has on each side, as patch needs it", () => {
  const before = numbers(1, 30).join("\n");
  const after = [...numbers(1, 9), "ten", "and a half", ...numbers(11, 24), ...numbers(26, 30)].join("\n");
  const headings = diffLines(before, after).filter((line) => line.startsWith("@@"));
  expect(headings).toEqual(["@@ -7,7 +7,8 @@", "@@ -22,7 +23,6 @@"]);
});

test("equal texts have no differences", () => expect(diffLines("a\nb", "a\nb")).toEqual([]));
