import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkSchema, validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { dropNulls } from "#src/engine/models/hosted/drop-nulls.ts";
import { shapeOf } from "#src/engine/models/hosted/schema-shape.ts";
import { writeSchema } from "#src/engine/models/hosted/strict-schema.ts";
import { toToolSchema } from "#src/engine/models/hosted/tool-schema.ts";
import { findGoogleRefusals } from "../kit/model-vendors/google-rules.ts";
import { findOpenAiRefusals } from "../kit/model-vendors/openai-rules.ts";
import { findStrictFaults } from "../kit/model-vendors/strict-rules.ts";

type Json = Record<string, unknown>;

/** A schema together with values that fit it. */
interface Pair {
  schema: Json;
  value: unknown;
}

const WORDS = ["day", "x", "name", "straße", "a b", "constructor", "toString", "$ref", "type"];
const word = fc.constantFrom(...WORDS);
const scalar: fc.Arbitrary<Pair> = fc.oneof(
  fc.string({ maxLength: 5 }).map((value) => ({ schema: { type: "string", maxLength: 9, title: "T" }, value })),
  fc.constant({ schema: { type: "string", format: "uri", minLength: 1 }, value: "https://example.org/" }),
  fc.constant({ schema: { type: "string", format: "date", default: "2026-01-01" }, value: "2026-12-01" }),
  fc.integer({ min: 0, max: 9 }).map((value) => ({ schema: { type: "integer", minimum: 0, multipleOf: 1 }, value })),
  fc
    .double({ min: 0, max: 9, noNaN: true })
    .map((value) => ({ schema: { type: "number", exclusiveMaximum: 10 }, value })),
  fc.boolean().map((value) => ({ schema: { type: "boolean", description: "Yes?" }, value })),
  fc.constantFrom<Pair>(
    { schema: { enum: ["a", 1, null, 2.5, true] }, value: null },
    { schema: { const: "one" }, value: "one" },
    { schema: { type: ["string", "null"] }, value: null },
    { schema: { type: ["string", "null"] }, value: "s" },
    { schema: { type: "null" }, value: null },
    { schema: { type: ["integer", "boolean", "null"], enum: [1, null] }, value: 1 },
    { schema: { oneOf: [{ const: "am", title: "morning" }, { const: "pm" }] }, value: "pm" },
    // Free forms, which strict mode cannot express.
    { schema: {}, value: { any: 1 } },
    { schema: { type: "object" }, value: { any: [1] } },
    { schema: { type: "object", additionalProperties: { type: "number" } }, value: { a: 1 } },
    { schema: { type: "array", prefixItems: [{ type: "string" }] }, value: ["a", 1] },
    { schema: { type: "array" }, value: [1, "a"] },
    { schema: { not: { type: "string" } }, value: 1 },
  ),
);

const { any } = fc.letrec<{ any: Pair; object: Pair; array: Pair; union: Pair; all: Pair }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), tie("array"), tie("union"), tie("all")),
  object: fc
    .uniqueArray(fc.record({ name: word, pair: tie("any"), required: fc.boolean(), given: fc.boolean() }), {
      selector: ({ name }) => name,
      minLength: 1,
      maxLength: 4,
    })
    .map((members) => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(members.map(({ name, pair }) => [name, pair.schema])),
        required: members.filter(({ required }) => required).map(({ name }) => name),
      },
      value: Object.fromEntries(
        members.filter(({ required, given }) => required || given).map(({ name, pair }) => [name, pair.value]),
      ),
    })),
  array: tie("any").map(({ schema, value }) => ({
    schema: { type: "array", items: schema, maxItems: 3 },
    value: [value],
  })),
  union: fc.tuple(tie("any"), tie("any"), fc.boolean()).map(([one, other, flag]) => ({
    schema: { anyOf: [one.schema, other.schema], ...(flag ? { description: "Either." } : {}) },
    value: flag ? one.value : other.value,
  })),
  all: fc.tuple(tie("object"), tie("object")).map(([one, other]) => ({
    schema: { allOf: [one.schema, { description: "Both." }], if: other.schema, then: {} },
    value: one.value,
  })),
}));

/** Schemas at whose top an object stands, some with references (also to themselves), as users write them. */
const userSchema: fc.Arbitrary<Pair> = fc.oneof(
  fc
    .record({ name: word, pair: any, required: fc.boolean(), mode: fc.constantFrom("PLAIN", "REF", "TREE") })
    .map(({ name, pair, required, mode }) => {
      const tree = {
        type: "object",
        properties: { leaf: pair.schema, next: { $ref: "#/$defs/t" } },
        required: ["leaf"],
      };
      const inner =
        mode === "PLAIN" ? pair.schema : { $ref: mode === "REF" ? "#/$defs/p" : "#/$defs/t", description: "d" };
      const value = mode === "TREE" ? { leaf: pair.value, next: { leaf: pair.value } } : pair.value;
      return {
        schema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { [name]: inner, other: { type: "string" } },
          required: required ? [name] : [],
          $defs: { p: pair.schema, t: tree },
        },
        value: { [name]: value },
      };
    }),
  any.filter(({ schema }) => schema.type === "object"),
);

/** A value as strict mode has a model write it: null for whatever is left out. */
function writeNulls(schema: Json, root: Json, value: unknown): unknown {
  if (typeof schema.$ref === "string") {
    return writeNulls((root.$defs as Record<string, Json>)[schema.$ref.split("/").at(-1) ?? ""] as Json, root, value);
  }
  if (Array.isArray(schema.anyOf)) {
    const written = (schema.anyOf as Json[]).map((one) => ({ one, value: writeNulls(one, root, value) }));
    const fitting = written.find((each) => fits(each.one, root, each.value));
    return fitting ? fitting.value : value;
  }
  if (Array.isArray(value) && schema.items !== undefined)
    return value.map((item) => writeNulls(schema.items as Json, root, item));
  if (Array.isArray(value)) return value;
  if (value === null || typeof value !== "object" || schema.properties === undefined) return value;
  const names = Object.entries(schema.properties as Record<string, Json>);
  const given = value as Json;
  const filled = names.map(([name, one]) => [
    name,
    Object.hasOwn(given, name) ? writeNulls(one, root, given[name]) : null,
  ]);
  const undeclared = Object.entries(given).filter(([name]) => !names.some(([known]) => known === name));
  return Object.fromEntries([...filled, ...undeclared]) as unknown;
}

const ajv = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false });
const checks = new Map<string, (value: unknown) => boolean>();

/** A written schema is checked many times, and compiling it takes most of the time. */
function fits(schema: Json, root: Json, value: unknown): boolean {
  const text = JSON.stringify({ ...schema, ...(root.$defs ? { $defs: root.$defs } : {}) });
  const known = checks.get(text) ?? ajv.compile(JSON.parse(text) as Json);
  if (checks.size > 1_000) checks.clear();
  checks.set(text, known);
  return known(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)])) as unknown;
}

test("what strict mode is given of any accepted schema passes its rules, and values come through it unharmed", () => {
  let strict = 0;
  fc.assert(
    fc.property(userSchema, ({ schema, value }) => {
      fc.pre(checkSchema(schema).length === 0 && validateAgainst(schema, value).length === 0);
      const shape = shapeOf(schema);
      const written = shape && writeSchema(shape, "NULLABLE");
      if (!written) return;
      strict++;
      expect(findStrictFaults(written)).toEqual([]);
      const answer = writeNulls(written, written, value);
      expect(fits(written, written, answer)).toBe(true);
      const back = dropNulls(shape, answer);
      expect(withoutNulls(back)).toEqual(withoutNulls(value));
      // A null that the schema allows may stand where nothing was said.
      expect(validateAgainst(schema, back)).toEqual([]);
    }),
    { numRuns: 250 },
  );
  // Most schemas can be expressed: the property is not true for want of cases.
  expect(strict).toBeGreaterThan(40);
});

test("objects of a union that share their first member are not strict unless a constant of each tells them apart", () => {
  const object = (first: Json, required: string[]): Json => ({ type: "object", properties: { first }, required });
  const strictOf = (...anyOf: Json[]): Json | null => {
    const shape = shapeOf({ type: "object", properties: { both: { anyOf } }, required: ["both"] });
    return shape && writeSchema(shape, "NULLABLE");
  };
  const [one, two, text] = [{ const: "one" }, { const: "two" }, { type: "string" }];
  expect(strictOf(object(one, ["first"]), object(two, ["first"]))).not.toBeNull();
  expect(strictOf(object(one, ["first"]), object(text, ["first"]))).toBeNull();
  expect(strictOf(object(text, ["first"]), object(one, ["first"]))).toBeNull();
  // One that may be left out may be null, in each of them.
  expect(strictOf(object(one, []), object(two, []))).toBeNull();
});

test("parameters of tools and open schemas pass what the vendors ask of schemas that are not strict", () => {
  fc.assert(
    fc.property(userSchema, ({ schema }) => {
      fc.pre(checkSchema(schema).length === 0);
      const parameters = toToolSchema("OPENAI_COMPATIBLE", schema);
      const messages = [{ role: "user", content: "Hello" }];
      const tools = [{ type: "function", function: { name: "look", description: "Looks.", parameters } }];
      expect(findOpenAiRefusals({ model: "gpt-4o", messages, tools })).toEqual([]);
      const shape = shapeOf(schema);
      const open = shape && writeSchema(shape, "OPTIONAL");
      if (!open) return;
      const declared = { name: "look", description: "Looks.", parametersJsonSchema: toToolSchema("GOOGLE", schema) };
      const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
      const generationConfig = { responseMimeType: "application/json", responseJsonSchema: open };
      expect(findGoogleRefusals({ contents, generationConfig, tools: [{ functionDeclarations: [declared] }] })).toEqual(
        [],
      );
    }),
    { numRuns: 200 },
  );
});

test("the checker itself refuses the schemas that strict mode is known to refuse", () => {
  const closed = {
    type: "object",
    additionalProperties: false,
    required: ["a"],
    properties: { a: { type: "string" } },
  };
  expect(findStrictFaults(closed)).toEqual([]);
  const refused: Json[] = [
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    { ...closed, required: [] },
    { ...closed, properties: { a: { type: "string", format: "uri" } } },
    { ...closed, properties: { a: {} } },
    { ...closed, properties: { a: { type: "array" } } },
    { ...closed, properties: { a: { oneOf: [{ type: "string" }] } } },
    { ...closed, properties: { a: { anyOf: [closed, closed] } } },
    { anyOf: [closed] },
  ];
  for (const schema of refused) expect(findStrictFaults(schema), JSON.stringify(schema)).not.toEqual([]);
});
