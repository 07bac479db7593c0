import { expect, it } from "vitest";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { JsonSchema } from "#src/engine/models/models.ts";
import { extractOutputs } from "./extraction.ts";

const VISIT = {
  type: "object",
  properties: {
    at: { type: "string", format: "time" },
    people: { type: "integer", minimum: 1 },
  },
  required: ["at", "people"],
};

/** Fills an output from a model that gives these values one after the other; returns the output, and the faults that it was sent. */
async function fill(schema: JsonSchema, ...values: unknown[]) {
  const sent: string[][] = [];
  const model = {
    name: "trial",
    async *respond() {},
    async extract({ faults }: { faults: string[] }) {
      sent.push(faults);
      return { value: values[sent.length - 1], inputTokens: 1, outputTokens: 1 };
    },
  };
  const { outputs } = await extractOutputs({
    model,
    messages: [{ role: "USER", content: "a quarter past two" }],
    outputs: [{ name: "visit", description: "", schema }],
    language: "en-US",
    validate: validateAgainst,
    now: () => new Date("2026-07-01T14:00:00Z"),
    zone: "America/New_York",
    timeoutMs: 1_000,
    signal: new AbortController().signal,
  });
  return { output: outputs.visit, sent };
}

it("a model that notes a time as people say it is not asked again", async () => {
  const { output, sent } = await fill(VISIT, { at: "14:15", people: 2 });
  expect(sent).toEqual([[]]);
  expect(output).toMatchObject({ value: { at: "14:15:00-04:00", people: 2 }, valid: true });
});

it("a value with a fault goes back once, with the fault", async () => {
  const { output, sent } = await fill(VISIT, { at: "14:15", people: 0 }, { at: "14:15", people: 2 });
  expect(sent).toEqual([[], ["people must be >= 1"]]);
  expect(output).toMatchObject({ value: { people: 2 }, valid: true });
});

it("a model that says what it was not told is not pressed for it; the output says what it lacks", async () => {
  const { output, sent } = await fill(VISIT, { at: "14:15", people: null });
  expect(sent).toEqual([[]]);
  expect(output).toMatchObject({ value: { people: null }, valid: false, errors: ["people must be integer"] });
});

it("what the model left out without a word, or gave wrongly beside it, goes back", async () => {
  expect((await fill(VISIT, { at: "14:15" }, { at: "14:15", people: null })).sent).toHaveLength(2);
  expect((await fill(VISIT, { at: "late", people: null }, { at: "22:00", people: null })).sent).toHaveLength(2);
});
