import { describe, expect, it } from "vitest";
import { checkSchema, validateAgainst } from "./schema-check.ts";

const codes = (schema: unknown): string[] => checkSchema(schema).map((fault) => fault.code);
const withProperty = (property: unknown): Record<string, unknown> => ({ type: "object", properties: { a: property } });

describe("checkSchema", () => {
  it.each([
    ["an ordinary schema", withProperty({ type: "string", format: "date", pattern: "^2" })],
    ["a title and an identifier at the top", { $id: "https://example.com/a", $schema: "x", type: "object" }],
    [
      "a property named like a keyword",
      { type: "object", properties: { $ref: { type: "string" }, pattern: {}, $id: {} } },
    ],
    [
      "data that looks like a schema",
      withProperty({ const: { $ref: "http://example.com" }, default: { pattern: "(" } }),
    ],
    [
      "a local reference",
      { type: "object", $defs: { "x/y": { type: "string" } }, properties: { a: { $ref: "#/$defs/x~1y" } } },
    ],
    ["a tree", { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } } }],
    [
      "any JSON value",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/json" } },
        $defs: {
          json: {
            anyOf: [
              { type: ["string", "number", "boolean", "null"] },
              { type: "array", items: { $ref: "#/$defs/json" } },
              { type: "object", additionalProperties: { $ref: "#/$defs/json" } },
            ],
          },
        },
      },
    ],
  ])("takes %s", (_title, schema) => expect(checkSchema(schema)).toEqual([]));

  it.each([
    ["a list", [], "TYPE"],
    ["null", null, "TYPE"],
    ["another type at the top", { type: "string" }, "TYPE"],
    ["no type at the top", {}, "TYPE"],
    ["a remote reference", withProperty({ $ref: "http://127.0.0.1/x" }), "REMOTE_REF"],
    ["a relative reference", withProperty({ $ref: "other.json" }), "REMOTE_REF"],
    ["a reference to nothing", withProperty({ $ref: "#/$defs/none" }), "REF"],
    ["a reference to data", { ...withProperty({ $ref: "#/examples/0" }), examples: [{}] }, "REF"],
    ["a dynamic reference", withProperty({ $dynamicRef: "#x" }), "NOT_ALLOWED"],
    ["an inner identifier", withProperty({ $id: "https://example.com/b" }), "NOT_ALLOWED"],
    ["$data", withProperty({ minimum: { $data: "1/b" } }), "NOT_ALLOWED"],
    ["a broken pattern", withProperty({ pattern: "(" }), "PATTERN"],
    ["a pattern with look-ahead", withProperty({ pattern: "^(?=a)" }), "PATTERN"],
    ["a huge pattern", withProperty({ pattern: "(?:a{0,100}){0,10}" + "b{1000}" }), "PATTERN"],
    ["a broken property pattern", { type: "object", patternProperties: { "[": {} } }, "PATTERN"],
    ["a wrong keyword value", withProperty({ type: "text" }), "SCHEMA"],
    ["a self-reference on the spot", { type: "object", allOf: [{ $ref: "#" }] }, "ENTANGLED"],
  ])("refuses %s", (_title, schema, code) => expect(codes(schema)).toContain(code));

  it("names where a fault is", () => {
    expect(checkSchema(withProperty({ pattern: "(" }))[0]?.path).toBe("properties.a.pattern");
  });

  it("refuses what is too deep, too large or has too many patterns", () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 10_000; i++) deep = { items: deep };
    expect(codes({ type: "object", ...deep })).toEqual(["TOO_DEEP"]);
    expect(codes({ type: "object", description: "x".repeat(70_000) })).toEqual(["TOO_LARGE"]);
    expect(codes({ type: "object", enum: Array.from({ length: 200_000 }, () => 1) })).toEqual(["TOO_LARGE"]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { pattern: "a" }]));
    expect(codes({ type: "object", properties: many })).toEqual(["TOO_LARGE"]);
  });

  it("refuses a chain of doubled references, whose check would take years", () => {
    const $defs: Record<string, unknown> = { d60: { type: "string" } };
    for (let i = 0; i < 60; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
    expect(codes({ type: "object", $defs, properties: { a: { $ref: "#/$defs/d0" } } })).toEqual(["ENTANGLED"]);
  });

  it("refuses doubling that happens level by level of the value", () => {
    const twice = { anyOf: [{ items: { $ref: "#/$defs/n" } }, { items: { $ref: "#/$defs/n" } }] };
    expect(codes({ type: "object", $defs: { n: twice }, properties: { a: { $ref: "#/$defs/n" } } })).toEqual([
      "ENTANGLED",
    ]);
  });
});

describe("validateAgainst", () => {
  it("names each fault with its path", () => {
    const schema = {
      type: "object",
      required: ["b"],
      properties: { a: { type: "object", properties: { n: { type: "integer" } } } },
    };
    expect(validateAgainst(schema, { a: { n: "x" } })).toEqual([
      "value must have required property 'b'",
      "a.n must be integer",
    ]);
    expect(validateAgainst(schema, { a: { n: 1 }, b: 2 })).toEqual([]);
    expect(validateAgainst(withProperty({ enum: ["x", "y"] }), { a: "z" })[0]).toContain('["x","y"]');
  });

  it("takes an enum without values, which nothing fits, wherever it stands, and leaves data alone", () => {
    for (const schema of [
      withProperty({ enum: [] }),
      withProperty({ allOf: [{ type: "string" }, { enum: [] }] }),
      { ...withProperty({ $ref: "#/$defs/a~1b" }), $defs: { "a/b": { enum: [], allOf: [true] } } },
    ]) {
      expect(checkSchema(schema)).toEqual([]);
      expect(validateAgainst(schema, { a: "x" }).length).toBeGreaterThan(0);
      expect(validateAgainst(schema, {})).toEqual([]);
    }
    const data = withProperty({ const: { enum: [] } });
    expect(validateAgainst(data, { a: { enum: [] } })).toEqual([]);
    expect(checkSchema(withProperty({ enum: "x" })).length).toBeGreaterThan(0);
  });

  it("is not hung by a pattern that backtracks elsewhere", () => {
    const schema = withProperty({ type: "string", pattern: "^(a+)+$" });
    expect(validateAgainst(schema, { a: `${"a".repeat(50_000)}!` })).toEqual(['a must match pattern "^(a+)+$"']);
    expect(validateAgainst(schema, { a: "aaa" })).toEqual([]);
  });

  it("keeps the patterns of one schema apart", () => {
    const schema = { type: "object", properties: { a: { pattern: "^a+$" }, b: { pattern: "^b+$" } } };
    expect(validateAgainst(schema, { a: "aa", b: "bb" })).toEqual([]);
    expect(validateAgainst(schema, { a: "bb", b: "aa" })).toHaveLength(2);
  });

  it.each([
    ["date", ["2024-02-29", "2026-12-31"], ["2026-02-29", "2031-02-31", "2026-13-01", "26-01-01", "2026-1-1"]],
    ["time", ["17:00:00Z", "23:59:59.5+02:00"], ["17:00:00", "24:00:00Z", "17:60:00Z", "5pm"]],
    [
      "date-time",
      ["2026-11-21T05:22:00Z", "2026-11-21t05:22:00.123+01:00"],
      ["2026-11-21", "2026-02-30T05:22:00Z", "2026-11-21T05:22:00"],
    ],
    ["email", ["a.b+c@example.co.uk"], ["a@b", "a b@example.com", "a@-example.com", "a@example..com", "@example.com"]],
    ["uri", ["https://example.com/a?b#c", "urn:x:y"], ["example.com", "https://exa mple.com", "//x"]],
    ["uuid", ["0190163d-8694-739b-aea5-966c26f8ad91"], ["0190163d8694739baea5966c26f8ad91", "x"]],
  ])("checks the format %s", (format, good, bad) => {
    const schema = withProperty({ type: "string", format });
    for (const value of good) expect([value, validateAgainst(schema, { a: value })]).toEqual([value, []]);
    for (const value of bad) expect([value, validateAgainst(schema, { a: value }).length]).toEqual([value, 1]);
  });

  it("gives a fault for an unusable schema instead of throwing", () => {
    expect(validateAgainst({ type: "object", allOf: [{ $ref: "#" }] }, {})[0]).toContain("schema");
    expect(validateAgainst({ type: "object", properties: { a: { pattern: "(" } } }, {})[0]).toContain(
      "properties.a.pattern",
    );
  });

  it("refuses values that are too deep or too large", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(validateAgainst({ type: "object" }, { deep })).toEqual(["value is nested more than 20 levels deep"]);
    expect(validateAgainst({ type: "object" }, { text: "x".repeat(200_000) })).toEqual(["value is too large"]);
  });

  it("keeps schemas apart that give themselves the same name", () => {
    const one = { $id: "https://example.com/s", type: "object", properties: { a: { type: "string" } } };
    const other = { $id: "https://example.com/s", type: "object", properties: { a: { type: "number" } } };
    expect(validateAgainst(one, { a: "x" })).toEqual([]);
    expect(validateAgainst(other, { a: "x" })).toEqual(["a must be number"]);
  });

  it("stays right when more schemas come by than it remembers", () => {
    for (let i = 0; i < 700; i++) expect(validateAgainst(withProperty({ const: i }), { a: i })).toEqual([]);
    expect(validateAgainst(withProperty({ const: 0 }), { a: 1 })).toEqual(["a must be equal to constant"]);
  });
});
