import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness, BYE, type Said, said } from "../kit/agent-harness.ts";
import { ChatHarness } from "../kit/chat-harness.ts";
import { lastToolAnswer, type ModelQuestion, type ModelReply, type ModelServer } from "../kit/model-server.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let harness: AgentHarness;
let world: World;
let model: ModelServer;

beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world, model } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

describe("system tools on the sandbox", () => {
  const id = (name: string) => harness.systemTool(name);
  test("transfer_call hands the call to a named target; the model never sees the number", async () => {
    const targets = [
      { name: "front desk", destination: "+12025550100", fallbackMessage: "Nobody is there." },
      { name: "night desk", destination: "+12025550110", fallbackMessage: "Nobody is there." },
    ];
    const body = { toolIds: [id("transfer_call")], transferTargets: targets };
    harness.callOnce("transfer_call", { target: "Front Desk" });
    expect(await harness.call(body)).toMatchObject({ outcome: "TRANSFERRED", endReason: "AGENT_TRANSFERRED_CALL" });
    expect(JSON.stringify(model.asked[0]?.messages)).not.toContain("+12025550110");
    harness.callOnce("transfer_call", { target: "night desk" });
    const busy = await harness.call(body);
    expect(busy).toMatchObject({ outcome: "ANSWERED", endReason: "AGENT_ENDED_CALL" });
    expect(said(busy)).toContain("ASSISTANT: Nobody is there.");
  });

  test("a transfer to another flow goes on by that flow's instructions", async () => {
    const other = await harness.make(
      "/flows",
      harness.flow({ name: "Billing", masterPrompt: "You are the billing agent." }),
    );
    model.think = (question) => {
      const isBilling = JSON.stringify(question.messages[0]).includes("billing agent");
      if (isBilling) return { text: "Billing here.", calls: [{ name: "end_call", input: {} }] };
      return { calls: [{ name: "transfer_call", input: { target: "billing" } }] };
    };
    const row = await harness.call({
      toolIds: [id("transfer_call")],
      transferTargets: [{ name: "billing", destinationType: "FLOW", destination: other.apiId }],
    });
    expect(said(row)).toContain("ASSISTANT: Billing here.");
    expect(row.endReason).toBe("AGENT_ENDED_CALL");
  });

  test("send_dtmf presses keys", async () => {
    harness.callOnce("send_dtmf", { digits: "12#" });
    expect(said(await harness.call({ toolIds: [id("send_dtmf")] }))).toContain("SYSTEM: Pressed 12#");
  });

  test("send_message writes to the person's own number", async () => {
    harness.callOnce("send_message", { text: "Your code is 7." });
    const row = await harness.call({ toolIds: [id("send_message")] }, "+12025550170");
    expect(lastToolAnswer(model.asked[1] as ModelQuestion)).toContain("ok");
    const { body } = await world.request("GET", "/chat-sessions?contactPhone=%2B12025550170");
    const chat = (body.content as Json[])[0] as Json;
    expect(chat).toMatchObject({ channel: "SMS", assistantPhoneNumber: row.fromPhoneNumber });
    const chats = new ChatHarness(world);
    expect((await chats.messages(String(chat.id)))[0]?.content).toBe("Your code is 7.");
  });

  test("schedule_callback queues a call to the same person at that time, by their own clock", async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    harness.callOnce("schedule_callback", { at: `${tomorrow}T15:00`, note: "Wants the blue one." });
    await harness.call({ toolIds: [id("schedule_callback")] }, "+12025550153", { timeZone: "Europe/Berlin" });
    const { body } = await world.request("GET", "/call-history?customerNumber=%2B12025550153&status=QUEUED");
    const [row] = body.content as Json[];
    expect(row).toMatchObject({ customerNumber: "+12025550153", rowData: { callbackNote: "Wants the blue one." } });
    const due = new Date(String(row?.nextAttemptAt));
    const shown = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" }).format(due);
    expect(shown).toBe("15:00");
    // Another conversation may ask meanwhile.
    expect(model.asked.map((question) => lastToolAnswer(question))).toContainEqual(
      expect.stringContaining(`called at ${tomorrow}T15:00 (Europe/Berlin)`),
    );
    const prompts = model.asked.map(({ messages }) => String(messages[0]?.content));
    const prompt = prompts.find((text) => text.includes("Europe/Berlin"));
    expect(prompt).toMatch(/\nWeekday: \w+day\nTime: \d\d:\d\d\nTime zone: Europe\/Berlin \(UTC\+0[12]:00\)\nDate: /);
    // A number of a country with many zones: the workspace's is a guess.
    await harness.call({}, "+12025550153");
    expect(String(model.asked.at(-1)?.messages[0]?.content)).toMatch(/\nTime zone: .+, assumed: the person may/);
  });

  test("search_knowledge finds passages of the flow's agent, cited in the transcript", async () => {
    const agent = await harness.make("/agents", { name: "Desk" });
    const items = `/agents/${String(agent.id)}/knowledge-base/items`;
    const content = "We are open on Sundays from ten to four. Parking is free.";
    const item = await harness.make(items, { type: "TEXT", title: "Hours", content });
    await world.until(`${items}/${String(item.id)}`, (body) => body.status === "READY");
    model.think = (question) => {
      const answer = lastToolAnswer(question);
      if (answer === null) return { calls: [{ name: "search_knowledge", input: { query: "open Sundays" } }] };
      return { ...BYE, text: "On Sundays we open at ten." };
    };
    const row = await harness.call({ agentId: agent.id });
    // Another conversation may ask meanwhile.
    expect(model.asked.map((question) => lastToolAnswer(question))).toContainEqual(
      expect.stringContaining("Sundays from ten"),
    );
    const cited = (row.transcript as Said[]).find(({ citations }) => citations !== undefined);
    expect(cited).toMatchObject({ content: "On Sundays we open at ten.", citations: [{ title: "Hours" }] });
  });

  test("write_record and read_record reach the person's own records of a granted store, and no other", async () => {
    const { application } = world.sample;
    const body = {
      toolIds: [id("read_record"), id("write_record")],
      storeKeys: [application.storeKey],
    };
    const answers: string[] = [];
    const steps: ModelReply["calls"] = [
      { name: "write_record", input: { storeKey: application.storeKey, fields: { wish: "window" } } },
      { name: "read_record", input: { storeKey: application.storeKey } },
      { name: "read_record", input: { storeKey: application.storeKey, recordId: application.recordId } },
      { name: "read_record", input: { storeKey: application.builtInStoreKey } },
    ];
    let step = 0;
    model.think = (question) => {
      // The person of another test may answer its text message meanwhile.
      if (!question.tools.some((tool) => tool.function.name === "write_record")) return BYE;
      const answer = lastToolAnswer(question);
      if (answer !== null) answers.push(answer);
      const next = steps[step++];
      return next ? { calls: [next] } : BYE;
    };
    await harness.call(body, "+12025550102");
    expect(answers[0]).toContain('"wish":"window"');
    expect(answers[1]).toContain('"wish":"window"');
    expect(answers[2]).toMatch(/^failed: /);
    expect(answers[3]).toMatch(/^failed: /);
  });

  test("leave_voicemail leaves the flow's message and hangs up", async () => {
    harness.callOnce("leave_voicemail", {});
    const row = await harness.call({
      toolIds: [id("leave_voicemail")],
      voicemailConfig: { action: "LEAVE_MESSAGE", message: "Please call us back." },
    });
    expect(said(row)).toContain("ASSISTANT: Please call us back.");
    expect(row).toMatchObject({ endReason: "AGENT_LEFT_VOICEMAIL", status: "COMPLETED" });
  });
});
