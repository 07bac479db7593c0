import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const ANSWERS = "+12025550100";
const place = (body: Record<string, unknown>) => world.request("POST", "/outbound/calls", { body });

describe("Outbound calls", () => {
  test("queues one outbound call session and returns when it is queued", async () => {
    const { status, body } = await place({ customerNumber: ANSWERS });
    expect([status, body.status]).toEqual([200, "QUEUED"]);
    const row = await world.until(`/call-rows/${String(body.rowId)}`, (one) => one.endedAt !== null);
    expect([row.outcome, row.sessionId]).toEqual(["ANSWERED", body.sessionId]);
  });

  test("customerNumber is required and E.164", async () => {
    expect((await place({})).status).toBe(422);
    expect((await place({ customerNumber: "0301234567" })).status).toBe(422);
    expect((await place({ customerNumber: 12025550100 })).status).toBe(400);
  });

  test("fromPhoneNumber is one of the workspace's numbers, and falls back to its default", async () => {
    const own = await place({ customerNumber: ANSWERS, fromPhoneNumber: "+12025550191" });
    expect(own.body.fromPhoneNumber).toBe("+12025550191");
    const omitted = await place({ customerNumber: ANSWERS });
    expect(omitted.body.fromPhoneNumber).toBe(world.sample.phoneNumber.number);
    const foreign = await place({ customerNumber: ANSWERS, fromPhoneNumber: "+12025550195" });
    expect([foreign.status, foreign.body.error]).toEqual([404, "Not found"]);
  });

  test("flowApiId is the apiId of a saved flow; flowId its internal uuid or its API id", async () => {
    const { id, apiId } = world.sample.flow;
    for (const selector of [
      { flowApiId: apiId },
      { flowId: id },
      { flowId: apiId },
      { flowId: id, flowApiId: apiId },
    ]) {
      const { status, body } = await place({ customerNumber: ANSWERS, ...selector });
      expect([status, body.flowId, body.flowApiId, body.inlineFlow]).toEqual([200, id, apiId, false]);
    }
  });

  test("flow is an inline definition; nothing is saved to the flow library", async () => {
    const before = (await world.request("GET", "/flows")).body.totalElements;
    const flow = {
      name: "One-off",
      masterPrompt: "Be short.",
      firstMessage: "Hello {{ name }}, a quick question.",
      voiceId: "any",
      language: "en-GB",
      localVariables: [{ variableName: "name", type: "string" }],
    };
    const row = await world.call(ANSWERS, { flow, rowData: { name: "Ada" } });
    const [first] = row.transcript as { content: string }[];
    expect(first?.content).toBe("Hello Ada, a quick question.");
    expect((await world.request("GET", "/flows")).body.totalElements).toBe(before);
  });

  test("contactName and contactEmail are available to the conversation and stored on the row", async () => {
    const flow = { name: "x", firstMessage: "Is this {{ contactName }} of {{ contactEmail }}?" };
    const row = await world.call(ANSWERS, { flow, contactName: "Ada", contactEmail: "ada@example.com" });
    expect([row.contactName, row.contactEmail]).toEqual(["Ada", "ada@example.com"]);
    expect((row.transcript as { content: string }[])[0]?.content).toBe("Is this Ada of ada@example.com?");
  });

  test("rowData is merged into the conversation as variables the flow can reference", async () => {
    const row = await world.call(ANSWERS, { rowData: { company: "Acme", appointment: "on Monday" } });
    expect((row.transcript as { content: string }[])[0]?.content).toContain(
      "Acme. I am calling about your appointment on Monday",
    );
  });

  test("contextData travels with the call, preloads session memory, and comes back unchanged", async () => {
    const text = '{"b":1.10,"a":12345678901234567890,"a":"twice","nested":{"z":[1e2]}}';
    const raw = `{"customerNumber":"${ANSWERS}","contextData":${text},"flow":{"name":"x","firstMessage":"Order {{ memory.b }}."}}`;
    const placed = await world.request("POST", "/outbound/calls", { raw });
    expect([placed.status, placed.text.includes(`"contextData":${text}`)]).toEqual([200, true]);
    await world.until(`/call-rows/${String(placed.body.rowId)}`, (row) => row.endedAt !== null);
    const row = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`);
    expect(row.text).toContain(`"contextData":${text}`);
    expect((row.body.transcript as { content: string }[])[0]?.content).toBe("Order 1.1.");
  });

  test("rule 1: flow selection is exactly one of flowId/flowApiId, or flow", async () => {
    const { id, apiId } = world.sample.flow;
    const flow = { name: "x" };
    for (const both of [
      { flowId: id, flow },
      { flowApiId: apiId, flow },
    ]) {
      const { status, body } = await place({ customerNumber: ANSWERS, ...both });
      expect([status, body.code]).toEqual([400, "FLOW_SELECTION"]);
    }
    expect((await place({ customerNumber: ANSWERS, flowId: "nobody-has-it" })).status).toBe(404);
  });

  test("rule 1: without a selector the workspace's default manual-call flow is used", async () => {
    expect((await place({ customerNumber: ANSWERS })).body.flowId).toBe(world.sample.flow.id);
    const bare = await world.operator("workspace.create", { name: "Bare" });
    await world.request("POST", "/phone-numbers", {
      key: String(bare.apiKey),
      body: { provider: "SANDBOX", isDefault: true },
    });
    const refused = await world.request("POST", "/outbound/calls", {
      key: String(bare.apiKey),
      body: { customerNumber: ANSWERS },
    });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("NO_DEFAULT_FLOW") as string]);
  });

  test("rule 3: the result is read with call-history or call-rows: transcript, recording, fields, contextData", async () => {
    const row = await world.call(ANSWERS, { contextData: { order: 7 } });
    expect((row.transcript as unknown[]).length).toBeGreaterThan(3);
    expect(row.extractedFields).toMatchObject({ confirmed: true });
    expect(row.contextData).toEqual({ order: 7 });
    const { url } = row.recording as { url: string };
    const audio = await fetch(url, { headers: { "x-api-key": world.sample.apiKey } });
    expect([audio.status, audio.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    const history = await world.request("GET", "/call-history");
    const found = (history.body.content as { id: string }[]).find((one) => one.id === row.id);
    expect(found).toEqual(row);
  });
});

describe("Outbound chats", () => {
  const start = (body: Record<string, unknown>) => world.request("POST", "/outbound/chats", { body });

  test("rule 1: CHAT creates an API-managed session fetchable through the chat-session endpoints", async () => {
    const { status, body } = await start({ channel: "CHAT", contactIdentifier: "visitor-1", contactName: "Ada" });
    expect(status).toBe(200);
    const { id } = body.session as { id: string };
    const read = await world.request("GET", `/chat-sessions/${id}`);
    expect([read.status, read.body.id]).toEqual([200, id]);
    const messages = await world.request("GET", `/chat-sessions/${id}/messages`);
    expect(messages.status).toBe(200);
  });

  test("rule 1: SMS and WHATSAPP send the opening assistant message over the delivery channel", async () => {
    for (const channel of ["SMS", "WHATSAPP"]) {
      const { status, body, text } = await start({ channel, contactPhone: ANSWERS, initialMessage: "Hello by text." });
      expect(status, text).toBe(200);
      const { id } = body.session as { id: string };
      const delivered = await world.until(`/chat-sessions/${id}/messages`, (page) =>
        (page.content as { deliveryStatus: string }[]).some((one) =>
          ["DELIVERED", "READ"].includes(one.deliveryStatus),
        ),
      );
      expect((delivered.content as { content: string }[])[0]?.content).toBe("Hello by text.");
    }
  });

  test("rule 2: contextData is stored as session memory before the chat starts", async () => {
    const flow = { name: "x", firstMessage: "About order {{ memory.order }}.", channelMode: "CHAT" };
    const { body } = await start({ channel: "CHAT", flow, contextData: { order: 42 } });
    expect((body.messages as { content: string }[])[0]?.content).toBe("About order 42.");
  });

  test("rule 3: the same three flow-selection shapes as calls apply", async () => {
    const { id, apiId } = world.sample.flow;
    const saved = await start({ channel: "CHAT", flowApiId: apiId });
    expect((saved.body.session as { flowId: string }).flowId).toBe(id);
    const usual = await start({ channel: "CHAT" });
    expect((usual.body.session as { flowId: string }).flowId).toBe(id);
    const inline = await start({ channel: "CHAT", flow: { name: "x", firstMessage: "Hi", channelMode: "CHAT" } });
    expect([inline.status, (inline.body.session as { flowId: null }).flowId]).toEqual([200, null]);
    expect((await start({ channel: "CHAT", flowId: id, flow: { name: "x" } })).status).toBe(400);
  });

  test("rule 4: the response holds session and messages", async () => {
    const { body } = await start({
      channel: "SMS",
      contactPhone: ANSWERS,
      contactName: "Ada",
      initialMessage: "Hi Ada.",
    });
    expect(body.session).toMatchObject({
      id: expect.any(String) as string,
      provider: expect.any(String) as string,
      status: "ACTIVE",
      mode: "FLOW",
      aiMode: "ACTIVE",
      flowId: world.sample.flow.id,
      contactName: "Ada",
      contactPhone: ANSWERS,
    });
    expect(body.session).toHaveProperty("providerCallId");
    expect(body.messages).toMatchObject([{ role: "ASSISTANT", content: "Hi Ada." }]);
  });

  test("rule 5: channel is required; SMS and WHATSAPP need contactPhone", async () => {
    expect((await start({})).status).toBe(422);
    expect((await start({ channel: "FAX" })).status).toBe(422);
    for (const channel of ["SMS", "WHATSAPP"]) {
      const { status, body } = await start({ channel, initialMessage: "x" });
      expect([status, (body.details as { path: string }[])[0]?.path]).toEqual([422, "contactPhone"]);
    }
  });
});

describe("Other endpoints referred to", () => {
  test("call-history, call-rows, call-jobs, call-jobs rows, balance and metadata fields exist", async () => {
    const job = await world.request("POST", "/call-jobs", { body: { rows: [{ customerNumber: ANSWERS }] } });
    const id = String(job.body.id);
    const rows = await world.until(`/call-jobs/${id}/rows`, (page) => (page.content as unknown[]).length === 1);
    const [row] = rows.content as { id: string }[];
    for (const path of [
      "/call-history",
      `/call-rows/${row?.id}`,
      `/call-jobs/${id}`,
      `/call-jobs/${id}/rows`,
      "/balance",
    ]) {
      expect((await world.request("GET", path)).status, path).toBe(200);
    }
    for (const path of ["/metadata/fields", "/api/external/v1/metadata/fields"]) {
      const reply = await world.request("GET", path);
      expect([reply.status, Array.isArray(reply.body)], path).toEqual([200, true]);
    }
  });

  test("call jobs are created from JSON or CSV, with retry settings for busy or unanswered calls", async () => {
    const retryConfig = { maxAttempts: 2, retryOn: ["BUSY", "NO_ANSWER"], delaysSeconds: [1] };
    const rows = [{ customerNumber: "+12025550113" }];
    const json = await world.request("POST", "/call-jobs", { body: { rows, retryConfig } });
    const csv = await world.request("POST", "/call-jobs?maxAttempts=2&retryOn=BUSY&delaysSeconds=1", {
      raw: "customerNumber\n+12025550113\n",
      headers: { "content-type": "text/csv" },
    });
    for (const made of [json, csv]) {
      expect(made.status, made.text).toBe(200);
      const done = await world.until(`/call-jobs/${String(made.body.id)}`, (job) => job.status === "COMPLETED");
      const { body } = await world.request("GET", `/call-jobs/${String(made.body.id)}/rows`);
      // Code 13 of the sandbox is busy on its first attempt and answers the second.
      expect((body.content as { attempts: { outcome: string }[] }[])[0]?.attempts.map((one) => one.outcome)).toEqual([
        "BUSY",
        "ANSWERED",
      ]);
      expect([done.successfulRows, done.errorRows]).toEqual([1, 0]);
    }
  });
});
