import { expect, it } from "vitest";
import { countBegun, timeWords } from "./word-times.ts";

const startsOf = (words: { startMs: number }[]) => words.map(({ startMs }) => Math.round(startMs));

it("gives each word its share of the time, by its letters, and keeps the text as it is", () => {
  const words = timeWords("Are you  coming?\n", 1_000, 3_000, null);
  expect(words.map(({ text }) => text).join("")).toBe("Are you  coming?\n");
  expect(startsOf(words)).toEqual([1_000, 1_500, 2_000]);
  expect([999, 1_000, 1_499, 1_500, 9_000].map((at) => countBegun(words, at))).toEqual([0, 1, 1, 2, 3]);
  expect(timeWords("  ", 0, 1_000, null)).toEqual([]);
});

it("lets words begin where the speaker is heard, not in the pauses", () => {
  // Heard from 1,000 to 1,500 and from 2,500 to 3,000; a cough of somebody else's line is not loud enough.
  const peaks = Array.from({ length: 40 }, (_, index) =>
    (index >= 10 && index < 15) || (index >= 25 && index < 30) ? 200 : 9,
  );
  const words = timeWords("Hello you. Goodbye.", 1_000, 4_000, { intervalMs: 100, peaks });
  expect(startsOf(words)).toEqual([1_000, 1_300, 2_550]);
  expect(startsOf(timeWords("One two", 0, 800, { intervalMs: 100, peaks: [] }))).toEqual([0, 400]);
  expect(startsOf(timeWords("One two", 0, 800, { intervalMs: 100, peaks: [0, 0, 0] }))).toEqual([0, 400]);
});
