import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness, BYE, said } from "../kit/agent-harness.ts";
import { ChatHarness, textsOf } from "../kit/chat-harness.ts";
import type { ModelReply } from "../kit/model-server.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";
import type { World } from "../kit/world.ts";

/* A person who wants a human gets one: a chat waits for an operator; a call is transferred or records the request. */

type Json = Record<string, unknown>;

const ASK: ModelReply = { calls: [{ name: "request_human", input: {} }] };
const NOTED = "ASSISTANT: I have noted that you would like to speak to a person. Somebody will call you back.";

let harness: AgentHarness;
let world: World;
beforeAll(async () => {
  harness = await AgentHarness.open({ PARLEY_SECRET: "a secret that all nodes share" });
  ({ world } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

/** Makes the model say one reply after the other, and the last one from then on. */
function answerWith(...replies: ModelReply[]): void {
  let at = 0;
  harness.model.think = () => replies[Math.min(at++, replies.length - 1)] as ModelReply;
}

async function get(path: string): Promise<Json> {
  const reply = await world.request("GET", path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function idsOf(path: string): Promise<unknown[]> {
  return ((await get(path)).content as Json[]).map(({ id }) => id);
}

const toolsOffered = () => harness.model.asked[0]?.tools.map((tool) => tool.function.name) ?? [];

describe("a wish for a human in a call without a transfer target", () => {
  test("is on the call's record, in its webhooks and in the filters of lists; the model says what comes of it", async () => {
    await using receiver = await Receiver.start();
    const flow = await harness.make("/flows", harness.flow({ apiId: "human" }));
    await harness.make("/session-webhooks", { url: receiver.url, flowId: flow.id });
    answerWith(ASK, { ...BYE, text: "My colleague Ada will call you back." });
    const placed = await harness.make("/call-jobs", {
      flowId: flow.id,
      retryConfig: { maxAttempts: 1 },
      rows: [{ customerNumber: "+12025550100" }, { customerNumber: "+12025550110" }],
    });
    const rows = `/call-jobs/${String(placed.id)}/rows`;
    await world.until(`/call-jobs/${String(placed.id)}`, (job) => job.completedAt !== null);
    const [row] = (await get(`${rows}?humanRequested=true`)).content as Json[];
    expect(row).toMatchObject({
      customerNumber: "+12025550100",
      status: "COMPLETED",
      humanRequested: true,
      error: null,
    });
    expect(said(row as Json)).toContain("ASSISTANT: My colleague Ada will call you back.");
    expect(said(row as Json)).not.toContain(NOTED);
    const id = row?.id;
    expect(await idsOf(`${rows}?humanRequested=true`)).toEqual([id]);
    expect(await idsOf(`${rows}?humanRequested=false`)).toHaveLength(1);
    expect(await idsOf("/call-history?humanRequested=true")).toEqual([id]);
    expect(await idsOf("/call-history?humanRequested=false")).not.toContain(id);
    expect((await world.request("GET", "/call-history?humanRequested=yes")).status).toBe(400);
    const ended = await receiver.waitFor(4);
    const reported = ended
      .map(({ body }) => JSON.parse(body) as Json & { row: Json; session: Json })
      .filter((event) => event.row.id === id);
    const requested = Object.fromEntries(reported.map((event) => [event.eventType, event.row.humanRequested]));
    expect(requested).toEqual({
      "session.started": false,
      "session.human_requested": true,
      "session.ended": true,
    });
    const asked = reported.find(({ eventType }) => eventType === "session.human_requested");
    expect(asked?.session).toMatchObject({ id: row?.sessionId, status: "IN_PROGRESS", startedAt: row?.answeredAt });
  });

  test("is answered by a default phrase where the model says nothing", async () => {
    answerWith({ calls: [...(ASK.calls ?? []), { name: "end_call", input: {} }] });
    const row = await harness.call({});
    expect(said(row)).toContain(NOTED);
    expect(row).toMatchObject({ humanRequested: true, endReason: "AGENT_ENDED_CALL" });
  });

  test("changes nothing where the call can be handed over", async () => {
    const targets = [{ name: "front desk", destination: "+12025550100" }];
    answerWith({ calls: [{ name: "transfer_call", input: { target: "front desk" } }] });
    const body = { toolIds: [harness.systemTool("transfer_call")], transferTargets: targets };
    expect(await harness.call(body)).toMatchObject({ outcome: "TRANSFERRED", humanRequested: false });
    expect(toolsOffered()).not.toContain("request_human");
    harness.reset();
    const forward = { name: "to_the_office", toolType: "FORWARD_CALL", apiUrl: null, apiMethod: null };
    const toolId = await harness.tool({ ...forward, forwardCallConfig: { destination: "+12025550100" } });
    answerWith(BYE);
    expect(await harness.call({ toolIds: [toolId] })).toMatchObject({ humanRequested: false });
    expect(toolsOffered()).toContain("to_the_office");
    expect(toolsOffered()).not.toContain("request_human");
  });

  test("outlives the server that heard it", async () => {
    const server = await ServerProcess.create({ DATABASE_URL: world.database.url, ALLOW_PRIVATE_NETWORK: "1" });
    await server.start();
    answerWith(ASK, { text: "Somebody will call." });
    const made = await harness.make("/web-calls", { flow: harness.flow({}), customerNumber: "+12025550104" });
    const url = String(made.socketUrl).replace(new URL(world.url).host, new URL(server.url).host);
    using page = await PageSocket.hello(url, String(made.token));
    await page.next("ready");
    page.send({ type: "accept", mode: "TEXT" });
    await page.next("text");
    page.send({ type: "text", text: "A human, please" });
    expect((await page.next("text", 2)).text).toBe("Somebody will call.");
    const path = `/call-rows/${String(made.callRowId)}`;
    expect(await get(path)).toMatchObject({ status: "IN_PROGRESS", humanRequested: true });
    server.kill();
    const row = await world.until(path, (one) => one.endedAt !== null);
    expect(row).toMatchObject({ outcome: "INTERRUPTED", humanRequested: true });
    await server.stop();
  });

  test("is on record with the call's end where it could not be stored at once", async () => {
    await world.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
       create trigger refuse before update on call_rows for each row
         when (new.human_requested and new.ended_at is null) execute function refuse()`,
    );
    try {
      answerWith(ASK, BYE);
      const row = await harness.call({});
      expect(row).toMatchObject({ humanRequested: true, error: { code: "HUMAN_REQUEST_NOT_ANNOUNCED" } });
    } finally {
      await world.database.query("drop trigger refuse on call_rows");
    }
  });

  test("is found among many calls by reading those alone", async () => {
    const { workspaceId, phoneNumber } = world.sample;
    await world.database.query(
      `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
         number_class, phone_number_id, due_at, ended_at, human_requested)
       select $1, gen_random_uuid(), '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'COMPLETED', 'ANSWERED',
              '+4930' || n, 'DE', 'MOBILE', $2, now(), now(), n % 5000 = 0 from generate_series(1, 20000) n`,
      [workspaceId, phoneNumber.id],
    );
    await world.database.query("analyze call_rows", []);
    expect((await get("/call-history?humanRequested=true&search=%2B4930")).totalElements).toBe(4);
    const plan = await world.database.query(
      `explain select id from call_rows r where r.workspace_id = '${workspaceId}' and r.human_requested
          and (r.job_id = '00000000-0000-0000-0000-000000000000' or r.status <> 'QUEUED') order by r.id desc limit 21`,
      [],
    );
    expect(JSON.stringify(plan)).toContain("call_rows_human_requested");
  });
});

describe("a wish for a human in a chat", () => {
  test("has it wait, listed as such, until an operator answers, and goes on with the agent when handed back", async () => {
    await using receiver = await Receiver.start();
    await harness.make("/session-webhooks", { url: receiver.url, events: ["session.human_requested"] });
    const chats = new ChatHarness(world);
    const { session } = await chats.started({ channel: "CHAT" });
    const other = await chats.started({ channel: "CHAT" });
    const path = `/chat-sessions/${session.id}`;
    await chats.write(session.id, "Hello");
    const asked = await chats.write(session.id, "I want to talk to a human");
    expect(textsOf(asked.messages).at(-1)).toContain("asked a colleague");
    const waits = { status: "HANDED_OFF", aiMode: "PAUSED", handoff: { state: "WAITING", assignee: null } };
    expect(await get(path)).toMatchObject(waits);
    expect(await idsOf("/chat-sessions?handoff=WAITING")).toEqual([session.id]);
    expect(await idsOf("/chat-sessions?handoff=NONE")).toContain(other.session.id);
    expect(await idsOf("/chat-sessions?handoff=NONE")).not.toContain(session.id);
    expect((await world.request("GET", "/chat-sessions?handoff=SOON")).status).toBe(400);
    const [event] = await receiver.waitFor(1);
    expect(JSON.parse(event?.body ?? "")).toMatchObject({ session: { id: session.id }, row: null });

    // The agent does not answer messages written meanwhile.
    expect((await chats.write(session.id, "Is anybody there?")).messages).toHaveLength(1);
    await chats.write(session.id, "Berta here. We open at nine.", { role: "AGENT" });
    expect(await get(path)).toMatchObject({
      status: "HANDED_OFF",
      handoff: { state: "TAKEN_OVER", requestedAt: null },
    });
    expect(await idsOf("/chat-sessions?handoff=WAITING")).toEqual([]);
    expect(await idsOf("/chat-sessions?handoff=TAKEN_OVER")).toEqual([session.id]);

    const back = await world.request("POST", `${path}/hand-back`);
    expect(back.body).toMatchObject({ status: "ACTIVE", aiMode: "ACTIVE", handoff: { state: "NONE" } });
    const after = await chats.write(session.id, "Yes, I will come");
    expect(textsOf(after.messages).map((line) => line.split(":")[0])).toEqual(["USER", "ASSISTANT"]);
    expect(after.session).not.toMatchObject({ status: "HANDED_OFF" });
    expect(receiver.received).toHaveLength(1);
  });

  test("is kept when the model says goodbye in the same breath", async () => {
    const chats = new ChatHarness(world);
    const { session } = await chats.started({ channel: "CHAT", flow: harness.flow({ channelMode: "CHAT" }) });
    answerWith({ text: "Goodbye.", calls: [{ name: "end_call", input: {} }, ...(ASK.calls ?? [])] }, { text: "Wait." });
    await chats.write(session.id, "A human, please");
    expect(await chats.read(session.id)).toMatchObject({ status: "HANDED_OFF", handoff: { state: "WAITING" } });
  });
});
