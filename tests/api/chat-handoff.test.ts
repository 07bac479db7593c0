import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { ChatHarness, type Json, textsOf } from "../kit/chat-harness.ts";
import { setUpOwner } from "../kit/console-harness.ts";
import { EventReader } from "../kit/event-reader.ts";
import { lastSaid, lastToolAnswer } from "../kit/model-server.ts";
import { ToolServer } from "../kit/tool-server.ts";
import type { World } from "../kit/world.ts";

let harness: AgentHarness;
let world: World;
let chats: ChatHarness;
beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world } = harness);
  chats = new ChatHarness(world);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

const COUNTED = { type: "object", properties: { people: { type: "integer" } } };
const VISIT = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", description: "How many people will come?" },
  },
};
const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const ALWAYS = { timeZone: "Europe/Berlin", windows: [{ days: DAYS, start: "00:00", end: "24:00" }] };
/** An hour that is far from now, whenever the test runs. */
const NOT_NOW = () => {
  const hour = (new Date().getUTCHours() + 12) % 23;
  const two = (number: number) => String(number).padStart(2, "0");
  return { timeZone: "UTC", windows: [{ days: DAYS, start: `${two(hour)}:00`, end: `${two(hour + 1)}:00` }] };
};

async function start(flow: Json): Promise<string> {
  const { session } = await chats.started({ flow, contactIdentifier: `p-${Math.random()}`, channel: "CHAT" });
  return session.id;
}

/** The model asks for a human when the person does, and answers everything else. */
function wantHuman(words: string): void {
  harness.model.think = (question) => {
    const answer = lastToolAnswer(question);
    if (answer !== null) return { text: words };
    return lastSaid(question).includes("human")
      ? { calls: [{ name: "request_human", input: {} }] }
      : { text: "I see." };
  };
}

describe("a person who asks for a human in a chat", () => {
  test("within the hours reads the flow's text, and waits, counted on every page", async () => {
    wantHuman("");
    const waitingMessage = "Thank you, {{ contactName | default: 'dear guest' }}. A colleague is with you in a moment.";
    const id = await start(harness.flow({ channelMode: "CHAT", humanHandoff: { hours: ALWAYS, waitingMessage } }));
    const owner = await setUpOwner(world);
    const url = `${world.url}/api/console/workspaces/${world.sample.workspaceId}/events`;
    const stream = await EventReader.open(url, { cookie: owner.cookie ?? "" });
    const { session, messages } = await chats.write(id, "I want a human");
    expect(textsOf(messages).slice(1)).toEqual([
      "ASSISTANT: Thank you, dear guest. A colleague is with you in a moment.",
    ]);
    expect(session).toMatchObject({ status: "HANDED_OFF", handoff: { state: "WAITING" } });
    await stream.until(({ type, data }) => type === "counters" && (data as Json).waitingChats === 1);
    expect((await chats.write(id, "Hello?")).messages).toHaveLength(1);
    await world.request("POST", `/chat-sessions/${id}/take-over?assignee=Berta`);
    await stream.until(({ type, data }) => type === "counters" && (data as Json).waitingChats === 0);
    stream.close();
  });

  test("outside them is noted for later, and the agent goes on", async () => {
    wantHuman("");
    const closedMessage = "Nobody is here before {{ opensAt }}.";
    const id = await start(harness.flow({ channelMode: "CHAT", humanHandoff: { hours: NOT_NOW(), closedMessage } }));
    const { session, messages } = await chats.write(id, "A human, please");
    expect(textsOf(messages)[1]).toMatch(/^ASSISTANT: Nobody is here before \d{4}-\d\d-\d\d \d\d:00\.$/);
    expect(session).toMatchObject({ status: "ACTIVE", aiMode: "ACTIVE", handoff: { state: "REQUESTED" } });
    expect(textsOf((await chats.write(id, "Never mind")).messages)).toEqual(["USER: Never mind", "ASSISTANT: I see."]);
    const listed = await world.request("GET", "/chat-sessions?handoff=REQUESTED&status=ACTIVE");
    expect((listed.body.content as Json[]).map((chat) => chat.id)).toEqual([id]);
    const none = await world.request("GET", "/chat-sessions?handoff=NONE");
    expect((none.body.content as Json[]).map((chat) => chat.id)).not.toContain(id);
    const taken = await world.request("POST", `/chat-sessions/${id}/take-over`);
    expect(taken.body).toMatchObject({ handoff: { state: "TAKEN_OVER", requestedAt: null } });
  });

  test("outside them gets an operator who writes while the agent thinks, and the agent stops", async () => {
    wantHuman("Tomorrow.");
    const toolIds = [await harness.tool({ name: "look_up" })];
    const id = await start(harness.flow({ channelMode: "CHAT", toolIds, humanHandoff: { hours: NOT_NOW() } }));
    await chats.write(id, "A human, please");
    harness.model.think = (question) =>
      lastToolAnswer(question)?.includes("looked") ? { text: "I see." } : { calls: [{ name: "look_up", input: {} }] };
    harness.server.answer = async (_request, response) => {
      if (harness.server.requests.length === 1) await chats.write(id, "I am here after all.", { role: "AGENT" });
      ToolServer.json(response, { looked: true });
    };
    const { session, messages } = await chats.write(id, "Is my visit at noon?");
    expect(session).toMatchObject({ status: "HANDED_OFF", handoff: { state: "TAKEN_OVER" } });
    expect(textsOf(messages)).toEqual(["USER: Is my visit at noon?"]);
    expect(harness.server.requests).toHaveLength(1);
  });

  test("in a flow without hours or texts hears the agent's own words, and waits", async () => {
    wantHuman("A colleague was asked.");
    const id = await start(harness.flow({ channelMode: "CHAT" }));
    const { session, messages } = await chats.write(id, "I want a human");
    expect(textsOf(messages)[1]).toBe("ASSISTANT: A colleague was asked.");
    expect(session).toMatchObject({ handoff: { state: "WAITING" } });
  });

  test("hours that are none are a 422 with their place", async () => {
    const hours = { timeZone: "Mars/Base", windows: ALWAYS.windows };
    const flow = harness.flow({ humanHandoff: { hours } });
    const reply = await world.request("POST", "/flows", { body: { apiId: "mars", ...flow } });
    expect([reply.status, (reply.body.details as Json[])[0]?.path]).toEqual([422, "humanHandoff.hours.timeZone"]);
  });
});

describe("a chat that an operator hands back", () => {
  test("goes on without asking what the operator was told", async () => {
    const flow = { name: "Visit", firstMessage: "Hello.", structuredOutputs: [{ name: "visit", schema: VISIT }] };
    const id = await start({ ...flow, channelMode: "CHAT" });
    await world.request("POST", `/chat-sessions/${id}/take-over`);
    await chats.write(id, "How many of you will come?", { role: "AGENT" });
    await chats.write(id, "We are five people and yes, I will come");
    await chats.write(id, "Wonderful.", { role: "AGENT" });
    await world.request("POST", `/chat-sessions/${id}/hand-back`);
    const { messages } = await chats.write(id, "Thank you");
    expect(textsOf(messages).join()).not.toMatch(/Will you come|How many/);
    await world.request("POST", `/chat-sessions/${id}/close`);
    const ended = await world.until(`/chat-sessions/${id}`, ({ extractedFields }) => extractedFields !== null);
    expect(ended.extractedFields).toEqual({ coming: true, people: 5 });
  });

  test("tells a hosted model what both sides wrote", async () => {
    wantHuman("A colleague was asked.");
    const id = await start(harness.flow({ channelMode: "CHAT" }));
    await chats.write(id, "I want a human");
    await chats.write(id, "We are five people");
    await chats.write(id, "Noted: five.", { role: "AGENT" });
    await world.request("POST", `/chat-sessions/${id}/hand-back`);
    await chats.write(id, "Thank you");
    const asked = JSON.stringify(harness.model.asked.at(-1)?.messages);
    for (const words of ["We are five people", "Noted: five.", "Thank you"]) expect(asked).toContain(words);
  });
});

describe("a chat that its agent hands to another flow", () => {
  test("goes on with that flow's instructions, tools and outputs, and keeps what is known", async () => {
    const toolId = await harness.tool({ name: "find_bill" });
    const billing = await harness.make("/flows", {
      ...harness.flow({ name: "Billing", masterPrompt: "You are BILLING for {{ contactName }}.", toolIds: [toolId] }),
      apiId: "billing",
      firstMessage: "Billing here.",
      structuredOutputs: [{ name: "bill", schema: COUNTED }],
    });
    harness.model.think = (question) => {
      const system = String(question.messages[0]?.content);
      if (question.wantsJson) return { text: '{"people":3}' };
      const answer = lastToolAnswer(question);
      if (answer?.includes("new instructions")) return { text: "Billing here. What is it about?" };
      if (answer !== null) return { text: "I found it." };
      if (!system.includes("BILLING")) return { calls: [{ name: "transfer_call", input: { target: "Billing desk" } }] };
      return lastSaid(question).includes("find") ? { calls: [{ name: "find_bill", input: {} }] } : { text: "Yes." };
    };
    const targets = [
      { name: "Billing desk", destinationType: "FLOW", destination: "billing" },
      { name: "Hotline", destinationType: "PHONE", destination: "+12025550123" },
    ];
    const flow = harness.flow({ masterPrompt: "You are the FRONT.", transferTargets: targets, channelMode: "CHAT" });
    const toolIds = [harness.systemTool("transfer_call")];
    const body = { flow: { ...flow, toolIds }, contactName: "Ada", contactIdentifier: "ada", channel: "CHAT" };
    const { session } = await chats.started(body);
    const moved = await chats.write(session.id, "My bill is wrong");
    expect(textsOf(moved.messages).at(-1)).toBe("ASSISTANT: Billing here. What is it about?");
    // A chat has no line, so only flows are targets.
    expect(JSON.stringify(harness.model.asked[0]?.messages)).not.toContain("Hotline");
    expect(textsOf((await chats.write(session.id, "Please find it")).messages).at(-1)).toBe("ASSISTANT: I found it.");
    expect(harness.server.requests).toHaveLength(1);
    const last = harness.model.asked.at(-1);
    expect(String(last?.messages[0]?.content)).toContain("You are BILLING for Ada.");
    expect(JSON.stringify(last?.messages)).toContain("My bill is wrong");
    await world.request("POST", `/chat-sessions/${session.id}/close`);
    const ended = await world.until(`/chat-sessions/${session.id}`, ({ extractedFields }) => extractedFields !== null);
    expect(ended).toMatchObject({ flowId: session.flowId, structuredOutputs: { bill: { value: { people: 3 } } } });
    await world.request("DELETE", `/flows/${String(billing.id)}`);
  });

  test("stays where it is when that flow is gone", async () => {
    harness.model.think = (question) =>
      lastToolAnswer(question) === null
        ? { calls: [{ name: "transfer_call", input: { target: "Nowhere" } }] }
        : { text: String(lastToolAnswer(question)) };
    const transferTargets = [{ name: "Nowhere", destinationType: "FLOW", destination: "no-such-flow" }];
    const toolIds = [harness.systemTool("transfer_call")];
    const id = await start(harness.flow({ transferTargets, toolIds, channelMode: "CHAT" }));
    const { session, messages } = await chats.write(id, "Elsewhere");
    expect(textsOf(messages).at(-1)).toContain("failed: that flow cannot be reached");
    expect(session.status).toBe("ACTIVE");
  });
});
