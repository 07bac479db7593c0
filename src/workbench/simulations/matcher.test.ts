import { describe, expect, test } from "vitest";
import { describeMatcher, matches, matchesPart, saysWords } from "./matcher.ts";

describe("matches", () => {
  test.each<[unknown, unknown]>([
    ["a", "a"],
    [3, 3],
    [null, null],
    [null, undefined],
    [
      [1, "b"],
      [1, "b"],
    ],
    [{ a: { b: [1] } }, { a: { b: [1] } }],
    [{ is: { atLeast: 3 } }, { atLeast: 3 }],
    [{ not: "a" }, "b"],
    [{ not: { contains: "x" } }, "abc"],
    [{ oneOf: ["a", { atLeast: 4 }] }, 5],
    [{ contains: "Green  street" }, "At green Street."],
    [{ contains: { atLeast: 3 } }, [1, 4]],
    [{ contains: 5 }, "room 512"],
    [{ matches: "^2026-\\d\\d" }, "2026-12-01"],
    [{ matches: "(?i)hello" }, "Oh, HELLO"],
    [{ atLeast: 1, atMost: 4 }, 4],
    [{ atMost: "0.05" }, "0.0500"],
    [{ atLeast: "0.1" }, 0.5],
    [{ atLeast: "2026-01-01" }, "2026-03-01"],
    [{ exists: true }, 0],
    [{ exists: false }, undefined],
    [{ exists: false }, null],
    [{ type: "integer" }, 3],
    [{ type: "array" }, []],
    [{ type: "object" }, {}],
    [{ type: "null" }, null],
    [
      { day: { matches: "^Mon" }, times: [{ type: "string" }] },
      { day: "Monday", times: ["x"] },
    ],
  ])("%j takes %j", (matcher, actual) => expect(matches(matcher, actual)).toBe(true));

  test.each<[unknown, unknown]>([
    ["a", "b"],
    ["3", 3],
    [null, 0],
    [[1], [1, 2]],
    [[1], { 0: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, [1]],
    [{ is: { atLeast: 3 } }, 5],
    [{ not: "a" }, "a"],
    [{ oneOf: ["a"] }, "b"],
    [{ contains: "x" }, undefined],
    [{ contains: "x" }, { x: 1 }],
    [{ matches: "a" }, 5],
    [{ atLeast: 1, atMost: 4 }, 5],
    [{ atMost: 4 }, undefined],
    [{ atLeast: 1 }, "one"],
    [{ exists: true }, null],
    [{ type: "integer" }, 3.5],
    [{ type: "object" }, []],
    [{ atleast: 3 }, 5],
    [{ constructor: { exists: true } }, {}],
    [{ __proto__: null, toString: { exists: true } }, {}],
  ])("%j does not take %j", (matcher, actual) => expect(matches(matcher, actual)).toBe(false));

  test("a pattern that would take a backtracking engine for ever is settled at once", () => {
    expect(matches({ matches: "^(a+)+$" }, `${"a".repeat(5_000)}b`)).toBe(false);
  });
});

test("a part of a mapping is compared, the rest may be anything", () => {
  expect(matchesPart({ day: { matches: "^2026" } }, { day: "2026-12-01", time: "10:00" })).toBe(true);
  expect(matchesPart({ day: "x", other: { exists: true } }, { day: "x" })).toBe(false);
  expect(matchesPart({ day: "x" }, undefined)).toBe(false);
});

test("words are found whatever their case and spacing", () => {
  expect(saysWords("This is the Green\n Street clinic", "green street")).toBe(true);
  expect(saysWords("This is green", "green street")).toBe(false);
});

test.each<[unknown, string]>([
  [true, "true"],
  [{ atLeast: 1, atMost: 4 }, "at least 1 and at most 4"],
  [{ not: { oneOf: ["a", 2] } }, 'not one of "a", 2'],
  [{ matches: "^x" }, "something like /^x/"],
  [{ exists: false }, "no value"],
])("%j reads as %s", (matcher, words) => expect(describeMatcher(matcher)).toBe(words));
