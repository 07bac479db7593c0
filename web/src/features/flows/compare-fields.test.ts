import { expect, it } from "vitest";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { compareFields } from "./compare-fields.ts";
import { diffLines } from "./line-diff.ts";
import { toFields, toValues } from "./sections/flow-values.ts";

const EMPTY = Object.fromEntries(
  Object.keys(toFields(toValues({} as FlowFields), {} as FlowFields)).map((name) => [name, null]),
) as unknown as FlowFields;

it("keeps the lines that two texts share, in their order", () => {
  const lines = diffLines("one\ntwo\nthree", "one\n2\nthree\nfour");
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "same one",
    "gone two",
    "new 2",
    "same three",
    "new four",
  ]);
});

it("tells two texts of many lines apart without comparing each line with each", () => {
  const [before, after] = ["a\n".repeat(5_000), "b\n".repeat(5_000)];
  const lines = diffLines(before, after);
  expect(lines.filter(({ kind }) => kind === "gone").map(({ text }) => text)).toEqual(before.split("\n"));
  expect(lines.filter(({ kind }) => kind === "new").map(({ text }) => text)).toEqual(after.split("\n"));
});

it("finds no difference between what is unset and what is empty, nor in the order of members", () => {
  const before = { ...EMPTY, toolIds: [], limits: { maxTurns: null }, voicemailConfig: { action: "A", message: "m" } };
  const after = { ...EMPTY, limits: null, voicemailConfig: { message: "m", action: "A" } };
  expect(compareFields(before, after)).toEqual([]);
  expect(compareFields(before, { ...after, firstMessage: "Hi" }).map(({ label }) => label)).toEqual(["First message"]);
});

it("says the unit of a time", () => {
  const [change] = compareFields(EMPTY, { ...EMPTY, maxDurationSeconds: 1_200 });
  expect(change?.lines.map(({ kind, text }) => `${kind} ${text}`)).toContain("new 1,200 s");
});

it("gives a flow back as it was read, when nothing was changed in its form", () => {
  const flow: FlowFields = {
    ...EMPTY,
    name: "Survey",
    localVariables: [
      { variableName: "n", type: "number", defaultValue: 3 },
      { variableName: "on", type: "boolean", defaultValue: false },
      { variableName: "o", type: "object", defaultValue: { a: [1] } },
      { variableName: "s", type: "string", defaultValue: "12" },
      { variableName: "none", type: "string" },
    ],
    toolIds: [],
    model: { modelId: null, fallbackModelIds: null, temperature: 0 },
    transferTargets: [{ name: "Desk", description: null, destination: "+12025550100", waitSeconds: 20 }],
    limits: { maxTurns: 5, maxToolCalls: 0, maxModelTokens: null, maxHistoryTokens: null, maxCost: "1.5" },
    voicemailConfig: { action: "LEAVE_MESSAGE", message: null },
    recordingEnabled: false,
  };
  expect(toFields(toValues(flow), flow)).toEqual(flow);
  expect(toFields(toValues(EMPTY), EMPTY)).toEqual(EMPTY);
});
