import { describe, expect, test } from "vitest";
import {
  collectPairs,
  parseDelays,
  parseJsonObject,
  parseNumber,
  parseRateLimit,
  parseSeconds,
  parseSpeed,
} from "./option-parsers.ts";

describe("rate limit", () => {
  test.each([
    ["120/60", { capacity: 120, refill: 120, periodSeconds: 60 }],
    ["120/30/60", { capacity: 120, refill: 30, periodSeconds: 60 }],
    ["1/0.5/10", { capacity: 1, refill: 0.5, periodSeconds: 10 }],
  ])("%s", (text, expected) => expect(parseRateLimit(text)).toEqual(expected));

  test.each([
    "120",
    "",
    "/60",
    "120/",
    "0/60",
    "120/0",
    "-1/60",
    "1.5/60",
    "1/2/3/4",
    "a/b",
    "1e3/60",
    "120 / 60",
    "Infinity/1",
  ])("refuses %j", (text) => {
    expect(() => parseRateLimit(text)).toThrow();
  });
});

test.each([
  ["90", 90],
  ["90s", 90],
  ["15m", 900],
  ["12h", 43_200],
  ["30d", 2_592_000],
])("%s is %i seconds", (text, seconds) => expect(parseSeconds(text)).toBe(seconds));

test.each(["", "0", "-5", "1.5h", "5w", "h"])("%j is no length of time", (text) => {
  expect(() => parseSeconds(text)).toThrow();
});

test.each([
  ["+1 (202) 555-0100", "+12025550100"],
  ["+44 20.7946 0100", "+442079460100"],
])("%s is called as %s", (text, number) => expect(parseNumber(text)).toBe(number));

test.each(["2025550100", "+0123456789", "+1", "+12025550100x", "tel:+12025550100"])("%j is no number", (text) => {
  expect(() => parseNumber(text)).toThrow();
});

test("speeds, delays, pairs and JSON", () => {
  expect(parseSpeed("instant")).toBe("instant");
  expect(parseSpeed("2.5")).toBe(2.5);
  for (const text of ["0", "-1", "fast", ""]) expect(() => parseSpeed(text)).toThrow();
  expect(parseDelays("30, 60,120")).toEqual([30, 60, 120]);
  for (const text of ["", "a", "1,-2"]) expect(() => parseDelays(text)).toThrow();
  expect(collectPairs("b=x=y", collectPairs("a=1", undefined))).toEqual({ a: "1", b: "x=y" });
  for (const text of ["a", "=1"]) expect(() => collectPairs(text, undefined)).toThrow();
  expect(parseJsonObject('{"crm":"42"}')).toEqual({ crm: "42" });
  const ids = '{"crm":12345678901234567890,"list":[-9007199254740993,1.5]}';
  expect(JSON.stringify(parseJsonObject(ids))).toBe(ids);
  for (const text of ["[1]", "null", "1", "{"]) expect(() => parseJsonObject(text)).toThrow();
});
