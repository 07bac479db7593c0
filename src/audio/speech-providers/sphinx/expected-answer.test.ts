import { expect, test } from "vitest";
import { readExpectedAnswer } from "./expected-answer.ts";
import { createGrammar } from "./grammar.ts";
import { sayNumber } from "./say-number.ts";

const SCHEMAS: [string, object, string[], string[]][] = [
  ["a boolean", { type: "boolean" }, ["YES_NO"], []],
  ["a nullable boolean", { type: ["boolean", "null"] }, ["YES_NO"], []],
  ["a whole number", { type: "integer", minimum: 1 }, ["NUMBER"], []],
  ["a code", { type: "string", pattern: "^\\d{5}$" }, ["DIGITS"], []],
  ["a code in two parts", { type: "string", pattern: "^[0-9]{3}-?[0-9]{4}$" }, ["DIGITS"], []],
  ["another pattern", { type: "string", pattern: "^[A-Z]+$" }, [], []],
  ["a date", { type: "string", format: "date" }, ["DATE"], []],
  ["a date with its time", { type: "string", format: "date-time" }, ["DATE", "TIME"], []],
  ["free text", { type: "string" }, [], []],
  [
    "choices",
    { enum: ["CALL_ME_LATER", "notNow", "2 rooms", null, 7, "żółw"] },
    [],
    ["call me later", "not now", "2 rooms", "7", "w"],
  ],
  ["one of several", { anyOf: [{ type: "boolean" }, { const: "maybe" }, { type: "null" }] }, ["YES_NO"], ["maybe"]],
  ["a list of choices", { type: "array", items: { enum: ["red", "blue"] } }, [], ["red", "blue"]],
  [
    "an object, through a reference",
    {
      type: "object",
      properties: { when: { $ref: "#/$defs/day" }, sure: { type: "boolean" }, name: { type: "string" } },
      $defs: { day: { type: "string", format: "date" } },
    },
    ["DATE", "YES_NO"],
    [],
  ],
];
test.each(SCHEMAS)("%s", (_name, schema, kinds, choices) => {
  const found = readExpectedAnswer(schema as Record<string, unknown>);
  expect([[...found.kinds].toSorted(), found.choices]).toEqual([kinds.toSorted(), choices]);
});

test("a schema that refers to itself, or a pattern made to take for ever, comes to an end", () => {
  const loop = { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } } };
  expect(readExpectedAnswer(loop).kinds.size).toBe(0);
  const pattern = `^${"\\d?".repeat(30)}!$`;
  expect(readExpectedAnswer({ type: "string", pattern }).kinds.size).toBe(0);
  expect(readExpectedAnswer({ $ref: "#/__proto__/constructor" }).kinds.size).toBe(0);
});

const grammarOf = (schema: Record<string, unknown>, isKnown: (word: string) => boolean = () => true) =>
  createGrammar({ expected: readExpectedAnswer(schema), before: null, isKnown });

test("free text has no grammar, and a choice of unknown words is left out", () => {
  const isKnown = (word: string) => word !== "xyzzy";
  expect(grammarOf({ type: "string" }, isKnown)).toBeNull();
  expect(grammarOf({ enum: ["xyzzy"] }, isKnown)).toBeNull();
  const grammar = grammarOf({ enum: ["xyzzy", "plugh 12"] }, isKnown);
  expect(grammar?.jsgf).toContain("(plugh twelve)");
  expect(grammar?.words).not.toContain("xyzzy");
});

test.each([
  ["^\\d{5}$", [5]],
  ["^[0-9]{2}-?[0-9]{2,3}$", [4, 5]],
  ["^\\d\\d?$", [1, 2]],
  ["^\\d{3}\\d*$", []],
  ["^\\d{4,}$", []],
  ["^\\d+$", []],
  ["\\d{4}", []],
  ["^\\d{11}$", []],
])("%s has so many digits: %j", (pattern, counts) => {
  expect(readExpectedAnswer({ type: "string", pattern }).digitCounts).toEqual(counts);
});

test("codes are counted only where all of them are", () => {
  const [code, phone] = [
    { type: "string", pattern: "^\\d{3}$" },
    { type: "string", format: "phone" },
  ];
  expect(grammarOf({ anyOf: [code, { ...code, pattern: "^\\d{2}$" }] })?.jsgf).toContain("(<digits_3> | <digits_2>)");
  expect(grammarOf({ anyOf: [code, phone] })?.jsgf).toContain("(<digits>)");
});

test("an answer to the question before may be corrected, and is no answer to this one", () => {
  const [expected, before] = [{ type: "integer" }, { type: "boolean" }].map(readExpectedAnswer);
  const jsgf = createGrammar({ expected: expected ?? null, before: before ?? null, isKnown: () => true })?.jsgf ?? "";
  expect(jsgf).toContain("i meant | i said | correction | make that) (<number> | <yes_no>)");
  expect(jsgf.match(/<yes_no>/g)).toHaveLength(2);
});

test("a choice cannot write rules of its own", () => {
  const hostile = "a; public <answer> = <NULL> | (b) {tag} * + /1/ <digits> // #JSGF\n";
  const jsgf = grammarOf({ enum: [hostile] })?.jsgf ?? "";
  expect(jsgf.match(/;/g)?.length).toBe(5);
  expect(jsgf).toContain("(a public answer null b tag one digits jsgf)");
});

test("every rule that is used is defined, and every word of it is listed", () => {
  const schema = {
    anyOf: ["date", "time"].map((format) => ({ type: "string", format })).concat(),
    type: ["boolean", "integer"],
  };
  const grammar = grammarOf(schema);
  const used = new Set([...(grammar?.jsgf ?? "").matchAll(/<(\w+)>/g)].map(([, name]) => name));
  const defined = new Set([...(grammar?.jsgf ?? "").matchAll(/^(?:public )?<(\w+)> =/gm)].map(([, name]) => name));
  expect(used).toEqual(defined);
  expect(grammar?.words).toEqual(expect.arrayContaining(["o'clock", "thirtieth", "february"]));
});

test.each([
  ["0", "zero"],
  ["13", "thirteen"],
  ["21", "twenty one"],
  ["110", "one hundred ten"],
  ["2400", "two thousand four hundred"],
  ["999999", "nine hundred ninety nine thousand nine hundred ninety nine"],
  ["007", "zero zero seven"],
  ["1000000", "one zero zero zero zero zero zero"],
])("%s is said %s", (digits, words) => expect(sayNumber(digits)).toBe(words));
