import { expect, it } from "vitest";
import type { ModelMessage } from "#src/engine/models/models.ts";
import { keepWithin } from "./history.ts";

const system = (content: string): ModelMessage => ({ role: "SYSTEM", content });
const agent = (content: string): ModelMessage => ({ role: "ASSISTANT", content });
const person = (content: string): ModelMessage => ({ role: "USER", content });
const kept = (messages: ModelMessage[], maxTokens: number) =>
  keepWithin(messages, maxTokens).flatMap(({ role, content }) => (role === "SYSTEM" ? [] : content));

const OPENING = "Do you want to keep your appointment on Monday?";
const LEFT_OUT = "(What was said before is left out.)";

// docs/agent.md: the model receives the latest maxHistoryTokens of a long conversation; instructions are none.
it("leaves nothing out of a short conversation behind long instructions", () => {
  const messages = [system("Be kind. ".repeat(1_000)), agent(OPENING), person("Yes")];
  expect(keepWithin(messages, 500)).toBe(messages);
});

it("keeps the question that the last answer belongs to, whatever its size", () => {
  const question = `${"We have many dates. ".repeat(200)}Does Monday suit you?`;
  const messages = [system("Be kind."), agent(OPENING), person("No"), agent(question), person("Yes")];
  expect(kept(messages, 500)).toEqual([LEFT_OUT, question, "Yes"]);
});

it("keeps the latest exchanges that fit, with the calls of their tools", () => {
  const call = { id: "c1", name: "find", input: {} };
  const messages = [
    agent(OPENING),
    person("x".repeat(2_000)),
    { ...agent(""), toolCalls: [call] },
    { role: "TOOL" as const, content: "y".repeat(100), toolCallId: "c1" },
    agent("Tuesday, then?"),
    person("Yes"),
    { ...agent(""), toolCalls: [{ ...call, id: "c2" }] },
    { role: "TOOL" as const, content: "booked", toolCallId: "c2" },
  ];
  expect(kept(messages, 500)).toEqual([LEFT_OUT, "Tuesday, then?", "Yes", "", "booked"]);
  expect(kept(messages, 1_000)).toEqual(messages.map(({ content }) => content));
});
