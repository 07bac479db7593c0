import { expect, it } from "vitest";
import { escapeBidi, withoutBidi } from "./bidi.ts";

const ALL = "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";

it("takes every control away that turns text around, and nothing else", () => {
  expect(withoutBidi(`a${ALL}b`)).toBe("ab");
  expect(withoutBidi("שלום \u200F\u200E é 👩‍👩‍👧")).toBe("שלום \u200F\u200E é 👩‍👩‍👧");
});

it("writes the controls of JSON as escapes, which stand for the same value", () => {
  const json = JSON.stringify({ [`x${ALL}`]: `a${ALL}b` });
  expect(escapeBidi(json)).not.toMatch(/[\u202A-\u2069]/);
  expect(JSON.parse(escapeBidi(json))).toEqual(JSON.parse(json));
});
