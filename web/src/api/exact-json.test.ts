import { expect, test } from "vitest";
import { parseExactly } from "./exact-json.ts";

test("keeps every number as it was written, at any depth", () => {
  const text = '{"id":12345678901234567890,"price":[1.0,1e3,7],"name":"1.0","nested":{"x":-0.10}}';
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test("refuses what is no JSON", () => {
  expect(() => parseExactly("{")).toThrow(SyntaxError);
});
