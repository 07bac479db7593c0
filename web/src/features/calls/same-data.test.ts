import { expect, test } from "vitest";
import { parseReply } from "#web/api/exact-json.ts";
import { isSameData } from "./same-data.ts";

const bodyWith = (text: string) => `{"eventType":"session.ended","session":{"id":"7","contextData":${text}}}`;
const stored = (text: string) => (parseReply(`{"contextData":${text}}`) as { contextData: unknown }).contextData;

test("contextData is the same only when its text is", () => {
  const text = '{"b":12345678901234567890,"1":1.10,"x":-0,"x":2}';
  expect(isSameData(bodyWith(text), stored(text))).toBe(true);
  expect(isSameData(bodyWith('{ "b": 12345678901234567890, "1": 1.10, "x": -0, "x": 2 }'), stored(text))).toBe(true);
  for (const other of [
    '{"b":12345678901234567000,"1":1.10,"x":-0,"x":2}',
    '{"b":12345678901234567890,"1":1.1,"x":-0,"x":2}',
    '{"b":12345678901234567890,"1":1.10,"x":0,"x":2}',
    '{"b":12345678901234567890,"1":1.10,"x":2}',
    '{"1":1.10,"b":12345678901234567890,"x":-0,"x":2}',
    "null",
  ]) {
    expect(isSameData(bodyWith(other), stored(text)), other).toBe(false);
  }
});

test("a body without session data is never the same", () => {
  for (const body of ["", "null", "{}", '{"session":null}', '{"session":{}}']) {
    expect(isSameData(body, null), body).toBe(false);
  }
  expect(isSameData(bodyWith("null"), null)).toBe(true);
});
