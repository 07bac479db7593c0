import fc from "fast-check";
import { expect, test } from "vitest";
import { formatJson, JsonText, parseExactly, parseReply, showExactly, stringifyExactly } from "./exact-json.ts";

const KEPT = '{"b":12345678901234567890,"1":1.10,"x":-0,"x":[ 1e3, {"s":"}\\"{"} ]}';

test("keeps every number as it was written, at any depth", () => {
  const text = '{"id":12345678901234567890,"price":[1.0,1e3,7,-0],"name":"1.0","nested":{"x":-0.10}}';
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test("refuses what is no JSON", () => {
  expect(() => parseExactly("{")).toThrow(SyntaxError);
  expect(() => parseReply('{"contextData":{')).toThrow(SyntaxError);
});

test("contextData goes through as it was written: digits, order, repeated names and spaces", () => {
  for (const reply of [
    `{"id":"7","contextData":${KEPT},"rowData":{"a":1}}`,
    `{"content":[{"contextData":${KEPT}},{"contextData":null},{"contextData":{}}],"totalElements":3}`,
    `{"call":{"contextData":${KEPT}},"n":"\\"contextData\\":{","\\"contextData":{"a":1}}`,
  ]) {
    expect(stringifyExactly(parseReply(reply)), reply).toBe(reply);
    expect(stringifyExactly(parseReply(reply, true)), reply).toBe(reply);
  }
});

test("what stands beside it is as JSON.parse gives it", () => {
  const reply = `{"price":1.5,"contextData":${KEPT},"rows":[1,"a",null,true]}`;
  expect(parseReply(reply)).toEqual({ price: 1.5, contextData: new JsonText(KEPT), rows: [1, "a", null, true] });
  expect(parseReply("[1.10]")).toEqual([1.1]);
  expect(stringifyExactly(parseReply('{"big":12345678901234567890}', true))).toBe('{"big":12345678901234567890}');
});

test("any JSON is laid out as JSON.stringify does, and any reply comes back", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      expect(formatJson(text)).toBe(JSON.stringify(value, null, 2));
      expect(stringifyExactly(parseReply(`{"contextData":{"v":${text}},"v":${text}}`))).toBe(
        `{"contextData":{"v":${text}},"v":${text}}`,
      );
    }),
  );
});

test("a value is shown in lines with its own digits", () => {
  expect(showExactly({ contextData: new JsonText('{"a":1.10,"a":-0}') })).toBe(
    '{\n  "contextData": {\n    "a": 1.10,\n    "a": -0\n  }\n}',
  );
  expect(showExactly(undefined)).toBe("null");
});
