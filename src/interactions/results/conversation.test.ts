import { expect, test } from "vitest";
import { conversationOf } from "./conversation.ts";

test("a conversation gives who spoke, what tools answered, and the waits that were measured", () => {
  const lines = [
    { role: "ASSISTANT", content: "Hello.", latency: { totalMs: 640 } },
    { role: "TOOL", content: '{"name":"find_slot"}', latency: null },
    { role: "ASSISTANT", content: "Ten o'clock?", latency: { totalMs: null } },
    { role: "ASSISTANT", content: "Are you there?", latency: {} },
  ];
  expect(conversationOf(lines, {})).toEqual({
    has_spoken: false,
    tool_lines: ['{"name":"find_slot"}'],
    waited_ms: [640],
    has_outputs: false,
    outputs_fit: true,
  });
  expect(conversationOf([...lines, { role: "USER", content: "" }], {}).has_spoken).toBe(true);
});

test.each([
  [{ visit: { valid: true } }, true],
  [{ visit: { valid: true }, mood: { valid: false } }, false],
  // Outputs without a verdict count for none.
  [{ visit: {}, mood: null }, true],
])("outputs %j fit their schemas: %s", (outputs, fit) => {
  expect(conversationOf([], outputs)).toMatchObject({ has_outputs: true, outputs_fit: fit });
});
