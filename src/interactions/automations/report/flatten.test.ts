import { expect, test } from "vitest";
import { flatten } from "./flatten.ts";

test("nested fields become dotted paths; lists and what lies too deep become JSON", () => {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } }, list: [1, { x: 2 }], none: null };
  expect(flatten(deep)).toEqual([
    ["a.b.c.d.e", '{"f":1}'],
    ["list", '[1,{"x":2}]'],
    ["none", null],
  ]);
  expect(flatten(null)).toEqual([]);
});
