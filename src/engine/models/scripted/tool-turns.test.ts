import { describe, expect, it } from "vitest";
import type { JsonSchema, ModelMessage, OutputDefinition, ToolCall, ToolOffer } from "#src/engine/models/models.ts";
import { createScriptedModel } from "./scripted-model.ts";

const PROMPT = 'You are the assistant of Acme.\nKnown: {"contactName":"Anna Berg"}\nFlow: Visit\nDate: 2026-11-21';
const DAY: JsonSchema = { type: "string", format: "date", description: "Which day suits you?" };
const COMING: JsonSchema = { type: "boolean", description: "Will you come?" };
const offer = (name: string, ...required: string[]): ToolOffer => ({
  name,
  description: "",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(required.map((one) => [one, { type: "string" }])),
    required,
  },
});
const CHECK_DAY = offer("check_day", "day");

/** A conversation that a test builds message by message. */
class Conversation {
  readonly messages: ModelMessage[] = [{ role: "SYSTEM", content: PROMPT }];
  outputs: OutputDefinition[];
  readonly #tools: ToolOffer[];
  readonly #model = createScriptedModel();

  constructor(properties: Record<string, JsonSchema>, tools: ToolOffer[]) {
    this.outputs = [{ name: "out", description: "", schema: { type: "object", properties } }];
    this.#tools = [offer("end_call"), ...tools];
  }

  /** Returns the model's turn, and adds it to the conversation. */
  async turn(): Promise<{ text: string; calls: ToolCall[] }> {
    const { messages, outputs } = this;
    const signal = new AbortController().signal;
    const turn = { text: "", calls: [] as ToolCall[] };
    const request = { messages, tools: this.#tools, outputs, language: "en-US", signal };
    for await (const piece of this.#model.respond(request)) {
      if (piece.kind === "TEXT") turn.text += piece.text;
      if (piece.kind === "TOOL_CALL") turn.calls.push(piece.call);
    }
    if (turn.text !== "" || turn.calls.length > 0)
      messages.push({ role: "ASSISTANT", content: turn.text, toolCalls: turn.calls });
    return turn;
  }

  agent(content: string): void {
    this.messages.push({ role: "ASSISTANT", content });
  }

  hear(content: string): Promise<{ text: string; calls: ToolCall[] }> {
    this.messages.push({ role: "USER", content });
    return this.turn();
  }

  answer(call: ToolCall | undefined, content: string): Promise<{ text: string; calls: ToolCall[] }> {
    this.messages.push({ role: "TOOL", content, toolCallId: call?.id ?? "" });
    return this.turn();
  }
}

/** Runs a conversation up to the call of check_day. */
async function untilCall(): Promise<{ dialogue: Conversation; call: ToolCall | undefined }> {
  const dialogue = new Conversation({ day: DAY, coming: COMING }, [CHECK_DAY]);
  dialogue.agent("Hello, this is Acme.");
  await dialogue.hear("Hi.");
  const { text, calls } = await dialogue.hear("Monday.");
  expect([text, calls.map(({ name, input }) => [name, input])]).toEqual(["", [["check_day", { day: "2026-11-23" }]]]);
  return { dialogue, call: calls[0] };
}

describe("a tool whose answer comes later", () => {
  it("is announced, the talk goes on, and the answer is told when it comes, with the open question", async () => {
    const { dialogue, call } = await untilCall();
    const started = await dialogue.answer(call, "started: the answer will come by itself; go on talking");
    expect(started.text).toBe("Got it. I will tell you as soon as I know more. Will you come?");
    const late = { id: `${call?.id}-answer`, name: "check_day", input: call?.input ?? {} };
    dialogue.messages.push({ role: "ASSISTANT", content: "", toolCalls: [late] });
    const reported = await dialogue.answer(late, "Monday is free.");
    expect([reported.text, reported.calls]).toEqual(["Monday is free. Will you come?", []]);
    expect((await dialogue.hear("Yes.")).text).toContain("goodbye");
  });
});

describe("words that are not final", () => {
  it("are asked for, and the tool is called again once they are confirmed", async () => {
    const { dialogue, call } = await untilCall();
    const refused = "failed: what the person said is not final; ask them to confirm it, then call again";
    const asked = await dialogue.answer(call, refused);
    expect([asked.text, asked.calls]).toEqual(["Just to be sure: did I get that right?", []]);
    const again = await dialogue.hear("Yes.");
    expect(again.calls.map(({ name, input }) => [name, input])).toEqual([["check_day", { day: "2026-11-23" }]]);
  });

  it("that turn out otherwise are taken as they are, and the tool is called with them", async () => {
    const { dialogue, call } = await untilCall();
    const said = dialogue.messages.findLast(({ role }) => role === "USER") as ModelMessage;
    said.content = "Tuesday.";
    const again = await dialogue.answer(call, "failed: what the person really said is: Tuesday.. Decide again");
    expect(again.calls.map(({ name, input }) => [name, input])).toEqual([["check_day", { day: "2026-11-24" }]]);
  });
});

describe("a look-up before the first word", () => {
  it("is not talked about: the model opens", async () => {
    const dialogue = new Conversation({ coming: COMING }, [CHECK_DAY]);
    const call = { id: "proactive-0", name: "check_day", input: {} };
    dialogue.messages.push({ role: "ASSISTANT", content: "", toolCalls: [call] });
    const opening = await dialogue.answer(call, '{"free":["Monday"]}');
    expect([opening.text, opening.calls]).toEqual([
      "Hello, this is the automated assistant of Acme. The call is about: Visit.",
      [],
    ]);
  });
});

describe("another flow", () => {
  it("begins with its own words and asks its own questions", async () => {
    const dialogue = new Conversation({ day: DAY }, [offer("transfer_call", "target")]);
    dialogue.agent("Hello, this is Acme.");
    const { calls } = await dialogue.hear("I want to talk to a human.");
    dialogue.outputs = [{ name: "other", description: "", schema: { type: "object", properties: { coming: COMING } } }];
    dialogue.messages[0] = { role: "SYSTEM", content: PROMPT.replace("Visit", "Complaints") };
    const opened = await dialogue.answer(
      calls[0],
      "ok: you follow new instructions now. Begin with: Good day, Y speaking.",
    );
    expect(opened.text).toBe("Good day, Y speaking.");
    expect((await dialogue.hear("Hello?")).text).toBe("Will you come?");
    expect((await dialogue.hear("Yes.")).calls.map(({ name }) => name)).toEqual(["end_call"]);
  });
});

describe("a callback", () => {
  it("at a time that has passed today is meant for tomorrow", async () => {
    const dialogue = new Conversation({ coming: COMING }, [offer("schedule_callback", "at")]);
    dialogue.agent("Hello, this is Acme.");
    const first = await dialogue.hear("Call me back at nine in the morning.");
    expect(first.calls[0]?.input.at).toBe("2026-11-21T09:00");
    const second = await dialogue.answer(first.calls[0], "failed: that time has passed");
    expect(second.calls[0]?.input.at).toBe("2026-11-22T09:00");
    const third = await dialogue.answer(second.calls[0], "ok");
    expect([third.text, third.calls.map(({ name }) => name)]).toEqual([
      "All right, we will call you then. Goodbye.",
      ["end_call"],
    ]);
  });
});
