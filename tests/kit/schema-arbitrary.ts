import fc from "fast-check";

type Schema = Record<string, unknown>;

/** Texts that break parsers, databases and shells; none of them names a host that exists. */
const HOSTILE_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e",
  "😀".repeat(50),
  "x".repeat(5_000),
  "'; drop table flows; --",
  "{{ 1 | divided_by: 0 }}",
  "{% for i in (1..100000000) %}x{% endfor %}",
  "../../etc/passwd",
  "%00",
  "%s%s%n",
  "null",
  "NaN",
  "-0",
  "1e400",
  "2026-02-30T25:61:61Z",
  "+12025550100",
  "+0",
  "(a+)+$",
  "[",
  "http://127.0.0.1:1/",
  "http://[::1]/",
  "http://127.0.0.1:9/x",
  "ftp://nobody.invalid",
  "javascript:alert(1)",
  "__proto__",
  "constructor",
  "00000000-0000-0000-0000-000000000000",
];

const HOSTILE_VALUES: unknown[] = [
  ...HOSTILE_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_992,
  1e308,
  [],
  {},
  [null],
  [[[[[[[[]]]]]]]],
  { $ref: "#/nowhere" },
  { constructor: { prototype: 1 } },
  nest(80),
];

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

/** A value made without regard to the schema. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE_VALUES),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A text made without regard to the schema. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: "binary", maxLength: 60 }),
);

/** Makes values from schemas of the document. */
export interface Maker {
  components: Record<string, Schema>;
  /** True: with a hostile value here and there. False: values that fit, as far as a schema describes them. */
  hostile: boolean;
  /** Arbitraries made so far, by depth and schema: operations share most of theirs, and making them blocks the process. */
  known: Map<string, fc.Arbitrary<unknown>>;
}

/** Returns values for a JSON Schema of the document. */
export function arbitraryOf(schema: Schema, maker: Maker, depth = 0): fc.Arbitrary<unknown> {
  const key = `${depth} ${JSON.stringify(schema)}`;
  const known = maker.known.get(key);
  if (known) return known;
  const fit = fitting(schema, maker, depth);
  const made = maker.hostile ? fc.oneof({ arbitrary: fit, weight: 14 }, { arbitrary: hostileValue, weight: 1 }) : fit;
  maker.known.set(key, made);
  return made;
}

function fitting(schema: Schema, maker: Maker, depth: number): fc.Arbitrary<unknown> {
  const { $ref, anyOf, enum: values, type } = schema;
  if (typeof $ref === "string") {
    return arbitraryOf(maker.components[$ref.split("/").at(-1) ?? ""] ?? {}, maker, depth);
  }
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => arbitraryOf(one as Schema, maker, depth)));
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const types = (Array.isArray(type) ? type : [type ?? "any"]) as string[];
  return fc.oneof(...types.map((one) => ofType(one, schema, maker, depth)));
}

function rangeOf({ minimum, maximum }: Schema): { min: number; max: number } {
  return { min: (minimum as number | undefined) ?? 0, max: Math.min((maximum as number | undefined) ?? 1e4, 1e4) };
}

function ofType(type: string, schema: Schema, maker: Maker, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case "integer":
      return fc.integer(rangeOf(schema));
    case "string":
      return textOf(schema);
    case "array":
      return fc.array(depth > 6 ? fc.constant(null) : arbitraryOf((schema.items ?? {}) as Schema, maker, depth + 1), {
        maxLength: 3,
      });
    case "object":
      return objectOf(schema, maker, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Arbitraries of patterns made so far: a few stand in hundreds of schemas, and each takes milliseconds to make. */
const likePatterns = new Map<string, fc.Arbitrary<string>>();

function textLike(pattern: string): fc.Arbitrary<string> {
  const made = likePatterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern), { maxLength: 60 });
  likePatterns.set(pattern, made);
  return made;
}

function textOf({ pattern, maxLength, description }: Schema): fc.Arbitrary<string> {
  if (String(description).startsWith("E.164")) return fc.constantFrom("+12025550100", "+12025550110", "+442079460101");
  if (typeof pattern === "string") return textLike(pattern);
  return fc.oneof(
    fc.string({ maxLength: Math.min((maxLength as number) ?? 30, 30) }),
    fc.constantFrom("http://127.0.0.1:9/hook", "name", "2026-12-01T09:00:00Z"),
  );
}

function objectOf(schema: Schema, maker: Maker, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  if (Object.keys(properties).length === 0 || depth > 6)
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue());
  const shapes = Object.entries(properties).map(([name, one]) => [name, arbitraryOf(one, maker, depth + 1)]);
  const required = ((schema.required ?? []) as string[]).filter((name) => name in properties);
  const record = fc.record(Object.fromEntries(shapes) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  });
  if (!maker.hostile) return record;
  // Now and then a required field is missing, or there is an extra one.
  return fc.oneof(
    { arbitrary: record, weight: 9 },
    {
      arbitrary: fc.tuple(record, fc.string(), hostileValue).map(([base, key, value]) => ({ ...base, [key]: value })),
      weight: 1,
    },
    { arbitrary: record.map((base) => Object.fromEntries(Object.entries(base).slice(1))), weight: 1 },
  );
}
