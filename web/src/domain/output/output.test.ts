import { expect, it } from "vitest";
import { fieldsOf, isEmptyValue, readSchema, withField } from "./output.ts";

it("reads the fields of a schema, also of one that is none", () => {
  const schema = {
    type: "object",
    required: ["size"],
    properties: {
      size: { type: ["integer", "null"], minimum: 1, maximum: 9 },
      way: { enum: ["a", 2] },
      place: { type: "object", properties: { city: { type: "string" } } },
    },
  };
  const [size, way, place] = fieldsOf(schema);
  expect(size).toMatchObject({
    name: "size",
    title: "Size",
    type: "integer",
    isRequired: true,
    minimum: 1,
    maximum: 9,
  });
  expect(way).toMatchObject({ type: "string", choices: ["a", "2"], isRequired: false });
  expect(place?.fields.map(({ name }) => name)).toEqual(["city"]);
  for (const odd of [null, 7, [], { properties: 3 }, { properties: { a: null }, required: 1 }])
    expect(() => fieldsOf(odd)).not.toThrow();
});

it("tells a value that holds nothing from one that holds something", () => {
  for (const empty of [null, undefined, "", [], {}, { a: null, b: "" }, { a: { b: [] } }])
    expect(isEmptyValue(empty), JSON.stringify(empty)).toBe(true);
  for (const full of [0, false, "x", [0], { a: null, b: false }]) expect(isEmptyValue(full)).toBe(false);
});

it("adds a field beside what is there, and asks for it where it is required", () => {
  const before = { type: "object", $comment: "kept", properties: { a: { type: "string" } }, required: ["a"] };
  const after = withField(before, { name: "day", type: "date", description: "Which day?", isRequired: true });
  expect(after).toEqual({
    type: "object",
    $comment: "kept",
    properties: { a: { type: "string" }, day: { type: "string", format: "date", description: "Which day?" } },
    required: ["a", "day"],
  });
  expect(withField(after, { name: "day", type: "boolean", description: "", isRequired: false }).required).toEqual([
    "a",
  ]);
});

it("takes nothing but an object for a schema", () => {
  expect(["{", "[]", "null", "1", ""].map(readSchema)).toEqual([null, null, null, null, null]);
  expect(readSchema('{"type":"object"}')).toEqual({ type: "object" });
});
