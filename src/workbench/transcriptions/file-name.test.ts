import { describe, expect, test } from "vitest";
import { assertPattern, cleanFileName, fileNameKey, matchFileName } from "./file-name.ts";

describe("a sender's file name", () => {
  test.each([
    ["call.wav", "call.wav"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\call.wav", "call.wav"],
    ["/", null],
    ["..", null],
    ["a\u0000b\r\nc\u007f.wav", "abc.wav"],
    ["half \ud800 pair", "half \ufffd pair"],
    ["  ", null],
    [null, null],
  ])("%j is shown as %j", (name, shown) => {
    expect(cleanFileName(name)).toBe(shown);
  });

  test("is cut to 255 characters between characters", () => {
    const shown = cleanFileName("😀".repeat(300)) ?? "";
    expect([Array.from(shown).length, shown.isWellFormed()]).toEqual([255, true]);
  });

  test("is looked up without regard to case, folders and the way accents are composed", () => {
    expect(fileNameKey("x/Mu\u0308ller.WAV")).toBe(fileNameKey("müller.wav"));
  });
});

describe("a file-name pattern", () => {
  test("gives its named groups, in both spellings; a group that took no part is absent", () => {
    const pattern = "(?<agent>[a-z]+)_(?P<day>\\d{8})(_(?<part>\\d+))?";
    expect(matchFileName(pattern, "ann_20261121.wav")).toEqual({ agent: "ann", day: "20261121" });
    expect(matchFileName(pattern, "something else")).toEqual({});
  });

  test.each([
    ["no named group", "a(b)c"],
    ["a syntax error", "(?<a>"],
    ["lookahead, which is not linear", "(?=x)(?<a>x)"],
    ["a backreference, which is not linear", "(?<a>x)\\1"],
    ["a huge repetition", "(?<a>((x{100}){100}){100})"],
    ["a large program", `(?<a>${"[a-z]{1,200}".repeat(30)})`],
    ["too many characters", `(?<a>${"x".repeat(600)})`],
    ["__proto__ as a key", "(?<__proto__>x)"],
  ])("%s is refused", (_name, pattern) => {
    expect(() => assertPattern(pattern)).toThrow(/fileNamePattern/);
  });

  test("(a+)+$ on a long name ends: steps grow with the name, not as its power", () => {
    const pattern = "^(?<x>(a+)+)$";
    assertPattern(pattern);
    expect(matchFileName(pattern, `${"a".repeat(254)}!`)).toEqual({});
  });
});
