import { expect, it } from "vitest";
import type { ModelMessage, OutputDefinition } from "#src/engine/models/models.ts";
import { replay } from "./replay.ts";

const OUTPUTS: OutputDefinition[] = ["first", "second"].map((name) => ({
  name,
  description: "",
  schema: { type: "object", properties: { [name]: { type: "boolean", description: `Is this the ${name}?` } } },
}));
const MESSAGES: ModelMessage[] = [
  { role: "SYSTEM", content: "Flow: Check" },
  { role: "ASSISTANT", content: "Hello. Is this the first?" },
  { role: "USER", content: "Yes." },
];

it("goes on from the last replay when the same outputs are chosen anew", () => {
  const messages = [...MESSAGES];
  const known = replay(messages, OUTPUTS, "en-US");
  expect(replay(messages, [...OUTPUTS], "en-US")).toBe(known);
  expect(replay(messages, OUTPUTS.slice(0, 1), "en-US")).not.toBe(known);
});
