import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness, BYE, said } from "../kit/agent-harness.ts";
import { ChatHarness, textsOf } from "../kit/chat-harness.ts";
import { lastSaid, lastToolAnswer, type ModelQuestion, type ModelServer } from "../kit/model-server.ts";
import { ToolServer } from "../kit/tool-server.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let harness: AgentHarness;
let world: World;
let model: ModelServer;
let server: ToolServer;

beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world, model, server } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

const tool = (body: Json) => harness.tool(body);
const flow = (body: Json) => harness.flow(body);
const call = (...args: Parameters<AgentHarness["call"]>) => harness.call(...args);
const offered = ({ tools }: ModelQuestion) => tools.map((one) => one.function.name);

describe("an agent with tools, through a model server", () => {
  test("calls a tool with what it heard, gets its answer, saves a variable, and speaks of it", async () => {
    const toolId = await tool({
      name: "book",
      apiUrl: `${server.url}/book/{{ customerNumber }}`,
      apiHeaders: { "X-Api-Key": "sealed-value" },
      apiBody: { day: "{{ day }}", who: "{{ contactName }}" },
      parameters: [{ name: "day", type: "string", required: true }],
      returnValue: { path: "booking.code", saveToVariable: "code" },
      messages: { success: "Your code is {{ code }}." },
    });
    server.answer = (_request, response) => ToolServer.json(response, { booking: { code: "B-7" } });
    model.think = (question) => {
      const answer = lastToolAnswer(question);
      return answer === null ? { calls: [{ name: "book", input: { day: "Monday" } }] } : BYE;
    };
    const row = await call({ toolIds: [toolId] }, "+12025550100", { contactName: "Ada" });
    expect(row).toMatchObject({ status: "COMPLETED", endReason: "AGENT_ENDED_CALL", error: null });
    expect(server.requests).toHaveLength(1);
    expect(server.last.url).toBe("/book/%2B12025550100");
    expect(server.last.headers["x-api-key"]).toBe("sealed-value");
    expect(JSON.parse(server.last.body)).toEqual({ day: "Monday", who: "Ada" });
    expect(said(row)).toContain("ASSISTANT: Your code is B-7.");
    expect(model.asked.flatMap(offered)).not.toContain("transfer_call");
    expect(JSON.stringify(row)).not.toContain("sealed-value");
    expect(lastToolAnswer(model.asked[1] as ModelQuestion)).toContain("B-7");
  });

  test("the questions of a call go over one connection", async () => {
    const toolId = await tool({ name: "note" });
    harness.callOnce("note", {});
    const before = model.connectedMs.length;
    await call({ toolIds: [toolId] });
    expect([model.asked.length, model.connectedMs.length - before]).toEqual([2, expect.toBeOneOf([0, 1])]);
  });

  test("while a tool takes its time, the person is told to wait, is heard, and gets the answer when it comes", async () => {
    let respond: (() => unknown) | undefined;
    server.answer = (_request, response) => {
      respond = () => response.headersSent || ToolServer.json(response, { price: 12 });
    };
    const toolId = await tool({ name: "price", messages: { start: "Let me look that up for you." } });
    let asked = false;
    model.think = (question) => {
      const answer = lastToolAnswer(question);
      if (answer?.includes("12")) return { text: "It costs twelve.", calls: [{ name: "end_call", input: {} }] };
      if (!asked) {
        asked = true;
        return { calls: [{ name: "price", input: {} }] };
      }
      // The person said something while the tool worked: they are answered, and only then does the tool answer.
      setTimeout(() => respond?.(), 50);
      return { text: "Just a moment more." };
    };
    const row = await call({ toolIds: [toolId] });
    const lines = said(row).filter((line) => !line.startsWith("TOOL"));
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at("Let me look that up")).toBeGreaterThan(0);
    expect(at("Just a moment more")).toBeGreaterThan(at("Let me look that up"));
    expect(
      lines.slice(at("Let me look that up"), at("Just a moment more")).some((line) => line.startsWith("USER")),
    ).toBe(true);
    expect(at("It costs twelve")).toBeGreaterThan(at("Just a moment more"));
    expect(row).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: null });
  });

  test("an async tool answers by its callback, and the agent speaks of it then", async () => {
    let task: { id: string; secret: string; url: string } | undefined;
    server.answer = (request, response) => {
      const { id, secret, url } = JSON.parse(request.body) as { id: string; secret: string; url: string };
      task = { id, secret, url };
      ToolServer.json(response, { accepted: true }, 202);
    };
    const toolId = await tool({
      name: "check",
      isAsync: true,
      apiBody: { id: "{{ toolTaskId }}", secret: "{{ toolTaskSecret }}", url: "{{ callbackUrl }}" },
      toolCallTimeoutSeconds: 30,
    });
    const answerTask = (body: Json) =>
      fetch(String(task?.url), {
        method: "POST",
        headers: { "content-type": "application/json", "x-tool-secret": String(task?.secret) },
        body: JSON.stringify({ toolTaskId: task?.id, ...body }),
      });
    let asked = false;
    let answered = false;
    const statuses: number[] = [];
    model.think = (question) => {
      if (lastToolAnswer(question)?.includes("granted")) return { ...BYE, text: "It was granted." };
      if (!asked) {
        asked = true;
        return { text: "I am having it checked.", calls: [{ name: "check", input: {} }] };
      }
      if (!answered) {
        answered = true;
        void answerTask({ result: { verdict: "granted" } })
          .then((reply) => statuses.push(reply.status))
          .then(() => answerTask({ result: "again" }))
          .then((reply) => statuses.push(reply.status));
      }
      return { text: "It will take a little." };
    };
    const row = await call({ toolIds: [toolId] });
    expect(said(row)).toContain("ASSISTANT: It was granted.");
    await expect.poll(() => statuses).toEqual([200, 409]);
  });

  test("a tool that fails is told to the model, with its own words to the person", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { secret: "inside" }, 500);
    const toolId = await tool({ name: "act", messages: { failure: "That did not work." } });
    model.think = (question) => (lastToolAnswer(question) === null ? { calls: [{ name: "act", input: {} }] } : BYE);
    const row = await call({ toolIds: [toolId] });
    expect(said(row)).toContain("ASSISTANT: That did not work.");
    expect(lastToolAnswer(model.asked[1] as ModelQuestion)).toMatch(/^failed: /);
    expect(row.status).toBe("COMPLETED");
  });

  test("a FORWARD_CALL tool hands the call over to what its own definition says", async () => {
    const toolId = await tool({
      name: "to_sales",
      toolType: "FORWARD_CALL",
      apiUrl: null,
      apiMethod: null,
      parameters: [{ name: "number", type: "string" }],
      forwardCallConfig: { destination: "+12025550100", transferOnlyIfHuman: true },
    });
    model.think = () => ({ text: "One second.", calls: [{ name: "to_sales", input: { number: "+12025550199" } }] });
    const row = await call({ toolIds: [toolId] });
    expect(row).toMatchObject({ outcome: "TRANSFERRED", endReason: "AGENT_TRANSFERRED_CALL", status: "COMPLETED" });
    expect(said(row)).toContain("SYSTEM: Transfer to +12025550100: TRANSFERRED");
  });

  test("without requiresFollowUp the agent says nothing to the answer, and listens", async () => {
    const toolId = await tool({ name: "note", requiresFollowUp: false, messages: { success: "Noted." } });
    let turns = 0;
    model.think = (question) => {
      expect(lastToolAnswer(question)).toBeNull();
      return ++turns === 1 ? { calls: [{ name: "note", input: {} }] } : BYE;
    };
    const row = await call({ toolIds: [toolId] });
    const lines = said(row).filter((line) => !line.startsWith("TOOL"));
    const noted = lines.indexOf("ASSISTANT: Noted.");
    expect(noted).toBeGreaterThan(0);
    expect(lines[noted + 1]).toMatch(/^USER/);
  });

  test("what may not be seen is masked or left out of the transcript, and the model knows it", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { diagnosis: "private matter" });
    const shown = await tool({ name: "half", anonymizeInChatTimeline: true });
    const hidden = await tool({ name: "none", hideFromChatTimeline: true });
    model.think = (question) =>
      lastToolAnswer(question) === null
        ? {
            calls: [
              { name: "half", input: {} },
              { name: "none", input: {} },
            ],
          }
        : BYE;
    const row = await call({ toolIds: [shown, hidden] });
    const tools = said(row).filter((line) => line.startsWith("TOOL"));
    expect(tools.join("\n")).not.toContain("private matter");
    expect(tools.join("\n")).toContain('"name":"half"');
    expect(tools.join("\n")).not.toContain('"name":"none"');
    expect(JSON.stringify(model.asked[1]?.messages)).toContain("private matter");
  });

  test("fills structured outputs, repairs them once, and shows what still does not fit", async () => {
    const schema = {
      type: "object",
      properties: { coming: { type: "boolean" }, people: { type: "integer" } },
      required: ["coming"],
    };
    const answers = ['{"coming":"yes"}', '{"coming":true,"people":2}', '{"people":"two"}', '{"people":"still two"}'];
    model.think = (question) => (question.wantsJson ? { text: answers.shift() ?? "" } : BYE);
    const good = await call({ structuredOutputs: [{ name: "visit", schema }] });
    expect(good).toMatchObject({
      structuredOutputs: { visit: { value: { coming: true, people: 2 }, valid: true, errors: [] } },
      extractedFields: { coming: true, people: 2 },
    });
    const bad = await call({ structuredOutputs: [{ name: "visit", schema }] });
    expect(bad).toMatchObject({
      structuredOutputs: { visit: { value: { people: "still two" }, valid: false } },
      extractedFields: {},
    });
    expect((bad.structuredOutputs as { visit: { errors: string[] } }).visit.errors.join(" ")).toContain("people");
  });

  test("a proactive tool runs before the first word, and its variable is in the greeting", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { tier: "gold" });
    const toolId = await tool({
      name: "who",
      proactiveLookupEnabled: true,
      returnValue: { path: "tier", saveToVariable: "tier" },
    });
    model.think = () => BYE;
    const row = await call({ toolIds: [toolId], firstMessage: "Hello, {{ tier }} member." });
    expect(said(row).find((line) => line.startsWith("ASSISTANT"))).toBe("ASSISTANT: Hello, gold member.");
  });

  test("limits: tool calls, turns and cost end the session with their reasons", async () => {
    const toolId = await tool({ name: "act" });
    model.think = () => ({ calls: [{ name: "act", input: {} }] });
    expect(await call({ toolIds: [toolId], limits: { maxToolCalls: 2 } })).toMatchObject({
      endReason: "LIMIT_TOOL_CALLS",
    });
    expect(server.requests).toHaveLength(2);
    model.think = () => ({ text: "And what else?" });
    expect(await call({ limits: { maxTurns: 2 } })).toMatchObject({ endReason: "LIMIT_TURNS" });
    expect(await call({ limits: { maxModelTokens: 1_000 } })).toMatchObject({ endReason: "LIMIT_COST" });
    expect(await call({ limits: { maxCost: "0.0005" } })).toMatchObject({ endReason: "LIMIT_COST" });
  });
});

describe("tools in a chat", () => {
  // docs/agent.md, Limits: of a session, and each turn of a chat is a run of its own.
  test("tokens, cost and tool calls of all turns together end a chat", async () => {
    const act = await tool({ name: "act" });
    const chats = new ChatHarness(world);
    const turnsOf = async (limits: Json): Promise<[turns: number, endReason: unknown]> => {
      const { session } = await chats.started({ channel: "CHAT", flow: flow({ toolIds: [act], limits }) });
      for (let turns = 1; turns <= 6; turns++) {
        await chats.write(session.id, `message ${turns}`);
        const { endReason } = await chats.read(session.id);
        if (endReason !== null) return [turns, endReason];
      }
      return [Infinity, null];
    };
    model.think = () => ({ text: "And what else?" });
    // Each question to the model server takes 110 tokens, which cost 0.00007.
    expect(await turnsOf({ maxModelTokens: 1_000 })).toEqual([Infinity, null]);
    expect(await turnsOf({ maxCost: "0.0002" })).toEqual([4, "LIMIT_COST"]);
    model.think = (question) =>
      lastToolAnswer(question) === null ? { calls: [{ name: "act", input: {} }] } : { text: "Done." };
    expect(await turnsOf({ maxModelTokens: 1_000 })).toEqual([6, "LIMIT_COST"]);
    expect(await turnsOf({ maxToolCalls: 2 })).toEqual([3, "LIMIT_TOOL_CALLS"]);
  });

  test("a tool is called, its variable lasts to the next turn, and its call is in the messages", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { tier: "gold" });
    const find = await tool({ name: "find", returnValue: { path: "tier", saveToVariable: "tier" } });
    const use = await tool({ name: "use", apiBody: { tier: "{{ tier }}" } });
    const chats = new ChatHarness(world);
    model.think = (question) => {
      if (lastToolAnswer(question) !== null) return { text: "Done." };
      return { calls: [{ name: lastSaid(question).includes("first") ? "find" : "use", input: {} }] };
    };
    const { session } = await chats.started({ channel: "CHAT", flow: flow({ toolIds: [find, use] }) });
    await chats.write(session.id, "the first thing");
    await chats.write(session.id, "the second thing");
    expect(JSON.parse(server.last.body)).toEqual({ tier: "gold" });
    const messages = await chats.messages(session.id);
    expect(
      messages.filter(({ role }) => role === "TOOL").map(({ content }) => JSON.parse(content) as Json),
    ).toMatchObject([{ name: "find" }, { name: "use" }]);
  });

  test("an answer that is cached for the session lasts over its turns, and no longer", async () => {
    const find = await tool({ name: "find", toolResultCacheConfig: { enabled: true, scope: "SESSION" } });
    const chats = new ChatHarness(world);
    model.think = (question) =>
      lastToolAnswer(question) === null ? { calls: [{ name: "find", input: {} }] } : { text: "Done." };
    for (let i = 0; i < 2; i++) {
      const { session } = await chats.started({ channel: "CHAT", flow: flow({ toolIds: [find] }) });
      await chats.write(session.id, "once");
      await chats.write(session.id, "and again");
    }
    expect(server.requests).toHaveLength(2);
  });

  test("an async tool's answer comes as a message of its own, the agent speaks of it, and an erasure takes it", async () => {
    let task: Json = {};
    server.answer = (request, response) => {
      task = JSON.parse(request.body) as Json;
      ToolServer.json(response, {}, 202);
    };
    const check = await tool({
      name: "check",
      isAsync: true,
      apiBody: { toolTaskId: "{{ toolTaskId }}", secret: "{{ toolTaskSecret }}" },
      parameters: [{ name: "who", type: "string" }],
    });
    model.think = (question) => {
      const answer = lastToolAnswer(question);
      if (answer === null) return { calls: [{ name: "check", input: { who: "Wilhelmina" } }] };
      return { text: answer.includes("granted") ? "It was granted." : "I am having it checked." };
    };
    const chats = new ChatHarness(world);
    const contactIdentifier = "checked-person";
    const start = { channel: "CHAT", contactIdentifier, flow: flow({ toolIds: [check] }) };
    const { session } = await chats.started(start);
    await chats.write(session.id, "Please check.");
    const reply = await fetch(`${world.url}/api/webhooks/async-tool-task/response`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...task, result: "granted" }),
    });
    expect(reply.status).toBe(200);
    await world.until(`/chat-sessions/${session.id}/messages?size=50`, (body) =>
      textsOf(body.content as never).includes("ASSISTANT: It was granted."),
    );
    const texts = textsOf(await chats.messages(session.id));
    expect(texts.filter((text) => text.includes("granted"))).toHaveLength(1);
    expect(texts).toContain("ASSISTANT: I am having it checked.");
    const path = `/tool-tasks/${String(task.toolTaskId)}`;
    expect((await world.request("GET", path)).body).toMatchObject({ status: "COMPLETED", result: "granted" });
    await world.request("POST", `/chat-sessions/${session.id}/close`);
    await world.until(`/chat-sessions/${session.id}`, ({ structuredOutputs }) => structuredOutputs !== null);
    // The one who waits has a minute to read it.
    await world.database.query("update tool_tasks set completed_at = completed_at - interval '2 minutes'");
    const [contact] = await chats.contacts({ identifier: contactIdentifier });
    expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
    await world.until(path, ({ result }) => result === null);
    const left = "select 1 from tasks where payload::text like '%Wilhelmina%'";
    expect(await world.database.query(left)).toEqual([]);
  });
});
