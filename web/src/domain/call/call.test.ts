import type { TranscriptTurn } from "@parley/sdk";
import { expect, test } from "vitest";
import { failedTools, findTurns, windowOf } from "./call.ts";

const turns = Array.from(
  { length: 5_000 },
  (_, index) => ({ index, role: "USER", content: `Line ${index}` }) as unknown as TranscriptTurn,
);

test("lines are found whatever the case of their letters", () => {
  expect(findTurns(turns, "LINE 4999").map(({ index }) => index)).toEqual([4_999]);
  expect(findTurns(turns, "")).toBe(turns);
  expect(findTurns(turns, "nothing")).toEqual([]);
});

test("of many lines the first are shown, the last of a talk that goes on, and always the one that is played", () => {
  expect(windowOf(turns, { most: 200, isTail: false, current: -1 })).toEqual([0, 200]);
  expect(windowOf(turns, { most: 200, isTail: true, current: -1 })).toEqual([4_800, 5_000]);
  expect(windowOf(turns, { most: 200, isTail: false, current: 150 })).toEqual([0, 200]);
  expect(windowOf(turns, { most: 200, isTail: false, current: 3_000 })).toEqual([2_980, 3_180]);
  expect(windowOf(turns.slice(0, 3), { most: 200, isTail: true, current: 2 })).toEqual([0, 3]);
});

test("tools that failed are named once each; other lines and tools that worked are not", () => {
  const lineOf = (name: string, result: string) =>
    ({ role: "TOOL", content: JSON.stringify({ name, input: {}, result }) }) as TranscriptTurn;
  const said = { role: "USER", content: "It failed." } as TranscriptTurn;
  const lines = [said, lineOf("book", "failed: 503"), lineOf("book", "failed: 503"), lineOf("find", '{"failed":0}')];
  expect(failedTools(lines)).toEqual(["book"]);
});
