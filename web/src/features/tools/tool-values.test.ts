import { expect, test } from "vitest";
import { toBody, toValues } from "./tool-values.ts";
import type { Tool } from "./tool.ts";

const stored = {
  id: "7",
  name: "look_up",
  description: "Finds it.",
  toolType: "API",
  apiMethod: "POST",
  apiUrl: "https://example.com",
  apiHeaders: { "X-Key": "********" },
  parameters: [
    { name: "n", type: "integer", required: true, enumValues: [1, 2], defaultValue: 1, pattern: null, ownNote: "kept" },
    { name: "text", type: "string", defaultValue: "12", source: "CONSTANT" },
  ],
  returnValue: { path: "data", type: "object", schema: { type: "object" } },
  messages: { start: "One moment.", delayedAfterMs: 500 },
  mockConfig: { enabled: true, result: { a: 1 }, cases: [{ when: { n: 1 }, result: 2 }] },
} as unknown as Tool;

test("a tool that is read and sent back unchanged keeps what the form does not show", () => {
  const body = toBody(toValues(stored), stored);
  expect(body).toMatchObject({
    name: "look_up",
    apiHeaders: { "X-Key": "********" },
    parameters: [
      { name: "n", enumValues: [1, 2], defaultValue: 1, ownNote: "kept" },
      { name: "text", defaultValue: "12", source: "CONSTANT" },
    ],
    returnValue: { path: "data", type: "object", schema: { type: "object" } },
    messages: { start: "One moment.", delayedAfterMs: 500 },
    mockConfig: { enabled: true, result: { a: 1 }, cases: [{ when: { n: 1 }, result: 2 }] },
  });
});

test("a new tool of code is one step, and sends nothing of a request", () => {
  const body = toBody({ ...toValues(null), name: "sum", toolType: "CODE", code: "return 1" }, null);
  expect(body).toMatchObject({
    executionPlan: [{ type: "CODE", code: "return 1" }],
    returnValue: null,
    mockConfig: null,
  });
  expect(body).not.toHaveProperty("apiUrl");
});

test("a value that does not fit its type is sent as it was typed, so that the server can say so", () => {
  const values = toValues(stored);
  const [first] = values.parameters;
  const body = toBody({ ...values, parameters: first ? [{ ...first, defaultValue: "many" }] : [] }, stored);
  expect(body).toMatchObject({ parameters: [{ defaultValue: "many" }] });
});
