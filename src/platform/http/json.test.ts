import { describe, expect, test } from "vitest";
import { AppError } from "#src/platform/kernel/errors.ts";
import { MAX_DEPTH, parseJson, RawJson, rawItems, rawSlice, readExactText, stringifyReply } from "./json.ts";

describe("rawSlice gives the exact text of a value", () => {
  const cases: [string, (string | number)[], string | undefined][] = [
    ['{"a":1.0}', ["a"], "1.0"],
    [' { "a" : { "b" : [ 1, 2 ] } , "c":0}', ["a"], '{ "b" : [ 1, 2 ] }'],
    ['{"a":"}\\"]","b":{"x":1e5}}', ["b"], '{"x":1e5}'],
    ['{"rows":[{"c":{"z":1}},{"c":{"z":2}}]}', ["rows", 1, "c"], '{"z":2}'],
    // JSON.parse keeps the last of two members of one name, so this must too.
    ['{"a":1,"a":2}', ["a"], "2"],
    ['{"\\u0061":7}', ["a"], "7"],
    ['{"a":null}', ["a"], "null"],
    ["{}", ["a"], undefined],
    ['{"a":[]}', ["a", 0], undefined],
  ];
  test.each(cases)("%s %j", (text, path, expected) => {
    expect(rawSlice(text, path)).toBe(expected);
  });

  test("and of every item of a list", () => {
    expect(rawItems('{"rows": [ {"a":1} ,[2], "x,]" ]}', ["rows"])).toEqual(['{"a":1}', "[2]", '"x,]"']);
    expect(rawItems('{"rows":{}}', ["rows"])).toEqual([]);
  });
});

test("a whole number that JavaScript cannot hold is read as the text of its digits, and any other as a number", () => {
  const text =
    '{"id":12345678901234567890,"list":[-9007199254740993,9007199254740992,9223372036854776000,1.10,1e3,-0,1e400],"n":7}';
  expect(readExactText(text)).toEqual({
    id: "12345678901234567890",
    list: ["-9007199254740993", 9007199254740992, 9223372036854776000, 1.1, 1_000, -0, Number.MAX_VALUE],
    n: 7,
  });
});

test("a RawJson appears in a reply untouched, wherever it stands", () => {
  const text = '{"b":1.0,"a":12345678901234567890}';
  expect(stringifyReply({ rows: [{ contextData: new RawJson(text) }, { contextData: new RawJson("[]") }] })).toBe(
    `{"rows":[{"contextData":${text}},{"contextData":[]}]}`,
  );
  // `$&` in a text must not be read as a pattern of String.replace.
  expect(stringifyReply({ a: new RawJson('"$& $1"') })).toBe('{"a":"$& $1"}');
});

describe("parseJson refuses what could not be given back", () => {
  const faultOf = (text: string) => {
    try {
      parseJson(text);
    } catch (error) {
      return (error as AppError).details[0]?.path ?? (error as AppError).code;
    }
    return undefined;
  };
  test("with the path of the fault", () => {
    expect(faultOf('{"a":[{"b":"\\u0000"}]}')).toBe("a.0.b");
    expect(faultOf('{"a":{"__proto__":1}}')).toBe("a.__proto__");
    expect(faultOf('{"a":"\\udc00"}')).toBe("a");
    expect(faultOf('{"a":1e999}')).toBe("a");
    expect(faultOf("{")).toBe("INVALID_JSON");
  });

  test("and takes brackets inside of strings for what they are", () => {
    const text = JSON.stringify({ a: "[".repeat(1_000) });
    expect(parseJson(text)).toEqual({ a: "[".repeat(1_000) });
    expect(() => parseJson("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH))).not.toThrow();
    expect(() => parseJson("[".repeat(MAX_DEPTH + 1) + "]".repeat(MAX_DEPTH + 1))).toThrow(AppError);
  });
});
