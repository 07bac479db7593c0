import { describe, expect, it } from "vitest";
import { call, modelOf, planWith, text } from "#kit/trial-session.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import type { ChatEntry } from "./chat-history.ts";
import { type ChatPorts, type ChatTurn, extractChat, renderOpening, takeChatTurn } from "./chat-turn.ts";

const signal = new AbortController().signal;
const ENDED = { endReason: null, saidAt: portsWith().now() };
const plan = planWith({}, { channel: "CHAT" });

function portsWith(more: Partial<ChatPorts> = {}): ChatPorts {
  return {
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    addToDoNotCall: async () => undefined,
    ...more,
  };
}

/** Writes what the person says, one message after the other, each into a history read from nothing but entries. */
async function chat(
  says: string[],
  ports = portsWith(),
): Promise<{ history: ChatEntry[]; last: ChatTurn | undefined }> {
  const history: ChatEntry[] = [
    { role: "ASSISTANT", content: renderOpening(plan, ports.now()).text, toolCallId: null, turn: 0 },
  ];
  let last: ChatTurn | undefined;
  for (const content of says) {
    const turn = history.length + 1;
    history.push({ role: "USER", content, toolCallId: null, turn });
    last = await takeChatTurn(plan, structuredClone(history), ports, signal);
    history.push(...last.replies.map((reply) => ({ ...reply, turn }) as ChatEntry));
  }
  return { history, last };
}

describe("a chat, turn by turn from its stored lines", () => {
  it("asks what a call would ask, ends by itself and fills the same outputs", async () => {
    const { history, last } = await chat(["Hello", "Yes", "two"]);
    expect(history.filter((entry) => entry.role === "ASSISTANT").map((entry) => entry.content)).toEqual([
      "Hello Anna.",
      "Will you come?",
      "Got it. How many people will come?",
      "That was all. Thank you for your time, and goodbye.",
    ]);
    expect(last?.ended).toBe("AGENT_ENDED_CALL");
    expect(last?.usage.inputTokens).toBeGreaterThan(0);
    const { outputs, extractedFields } = await extractChat(plan, history, portsWith(), ENDED, signal);
    expect(outputs.visit).toMatchObject({ valid: true, value: { coming: true, people: 2 } });
    expect(extractedFields).toEqual({ coming: true, people: 2 });
  });

  it("writes the do-not-call list, says so, and ends", async () => {
    let written = 0;
    const ports = portsWith({ addToDoNotCall: async () => void written++ });
    const { last, history } = await chat(["Take me off your list"], ports);
    expect(written).toBe(1);
    expect(last).toMatchObject({ ended: "CUSTOMER_OPTED_OUT", optedOut: true, error: null });
    expect(history.map((entry) => entry.role)).toEqual(["ASSISTANT", "USER", "TOOL", "ASSISTANT"]);
  });

  it("shows a refusal that could not be written", async () => {
    const ports = portsWith({ addToDoNotCall: () => Promise.reject(new Error("no number")) });
    const { last } = await chat(["Take me off your list"], ports);
    expect(last).toMatchObject({ ended: "CUSTOMER_OPTED_OUT", error: { code: "DO_NOT_CALL_FAILED" } });
  });

  it("apologises for a model that fails twice", async () => {
    const { last } = await chat(["Hello"], portsWith({ model: modelOf([new Error("HTTP 500")]) }));
    expect(last).toMatchObject({ ended: "ERROR_MODEL", error: { message: "HTTP 500" } });
    expect(last?.replies).toHaveLength(1);
  });

  it("leaves outputs empty when the person wrote nothing", async () => {
    const { history } = await chat([]);
    expect((await extractChat(plan, history, portsWith(), ENDED, signal)).outputs).toEqual({});
  });
});

it("gives tools back to the model with the calls that asked for them, and takes operators for the agent", async () => {
  const model = modelOf([
    [text("One moment."), call("look_up")],
    [text("It is open."), call("look_up", "c2")],
    [],
    [text("Fine.")],
  ]);
  const { history } = await chat(["Open today?"], portsWith({ model }));
  history.push({ role: "AGENT", content: "Anna here.", toolCallId: null, turn: 9 });
  history.push({ role: "USER", content: "Thanks", toolCallId: null, turn: 10 });
  await takeChatTurn(plan, history, portsWith({ model }), signal);
  expect(model.seen.at(-1)?.slice(1)).toMatchObject([
    { role: "ASSISTANT", content: "Hello Anna." },
    { role: "USER", content: "Open today?" },
    { role: "ASSISTANT", content: "One moment.", toolCalls: [{ id: "c1", name: "look_up" }] },
    { role: "TOOL", toolCallId: "c1" },
    { role: "ASSISTANT", content: "It is open.", toolCalls: [{ id: "c2" }] },
    { role: "TOOL", toolCallId: "c2" },
    { role: "ASSISTANT", content: "Anna here." },
    { role: "USER", content: "Thanks" },
  ]);
});

it("stops at once when it is told to", async () => {
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  await expect(takeChatTurn(plan, [], portsWith(), stop.signal)).rejects.toThrow();
});

describe("a person who wants a human, in a chat", () => {
  it("is told that a colleague was asked, and the chat neither ends nor forgets", async () => {
    const asked = await chat(["Hello", "I want to talk to a human"]);
    expect(asked.last).toMatchObject({ ended: null, wantsHuman: true });
    expect(asked.last?.replies.at(-1)?.content).toContain("asked a colleague");
    expect(asked.last?.replies[0]?.content).toContain("request_human");
    const after = await takeChatTurn(
      plan,
      [
        ...asked.history,
        { role: "AGENT", content: "Anna here. How can I help?", toolCallId: null, turn: 6 },
        { role: "USER", content: "Yes, I will come, we are five people", toolCallId: null, turn: 7 },
      ],
      portsWith(),
      signal,
    );
    expect(after.wantsHuman).toBe(false);
    expect(after.replies.map(({ content }) => content).join()).not.toContain("asked a colleague");
  });

  it("a hosted model that says goodbye after it asked does not end the chat", async () => {
    const model = modelOf([[call("request_human")], [text("I have asked a colleague."), call("end_call")]]);
    const { last } = await chat(["A human, please"], portsWith({ model }));
    expect(last).toMatchObject({ ended: null, wantsHuman: true });
  });
});
