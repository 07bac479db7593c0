import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChatHarness, INLINE } from "../kit/chat-harness.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type TestReply, World } from "../kit/world.ts";

/* A person who may have asked for no more contact is left alone until somebody has decided whether they did. */

type Json = Record<string, unknown>;
type Review = Json & { id: string; state: string };
type Row = Json & { id: string; status: string; attempts: Json[]; optOutReview: { id: string; state: string } | null };

const DOUBTFUL = "unsubscribe me from the newsletter but keep the appointment";
const FLOW = {
  name: "Visit",
  masterPrompt: "Ask whether the person comes.",
  firstMessage: "Hello, this is the clinic.",
};

let world: World;
let chats: ChatHarness;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1", PARLEY_SECRET: "a secret that all nodes share" } });
  chats = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Holds a text web call in which the person says one line after another and then hangs up. */
async function dialogue(customerNumber: string | undefined, lines: string[]): Promise<Row> {
  const body = { flow: FLOW, ...(customerNumber === undefined ? {} : { customerNumber }) };
  const made = await ask("POST", "/web-calls", body);
  using page = await PageSocket.hello(String(made.socketUrl), String(made.token));
  await page.next("ready");
  page.send({ type: "accept", mode: "TEXT" });
  await page.next("text");
  for (const [i, text] of lines.entries()) {
    page.send({ type: "text", text });
    // The greeting is the first text.
    await page.next("text", 2 + i);
  }
  page.send({ type: "hangup" });
  return (await world.until(`/call-rows/${String(made.callRowId)}`, (row) => row.endedAt !== null)) as Row;
}

async function ask(method: string, path: string, body?: object): Promise<Json> {
  const reply = await world.request(method, path, body ? { body } : {});
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function reviewsOf(number: string): Promise<Review[]> {
  return (await ask("GET", `/opt-out-reviews?number=${encodeURIComponent(number)}`)).content as Review[];
}

const decide = (id: string, decision: string, note?: string): Promise<TestReply> =>
  world.request("POST", `/opt-out-reviews/${id}/decision`, { body: { decision, ...(note ? { note } : {}) } });

async function place(customerNumber: string, more: Json = {}): Promise<string> {
  return String((await ask("POST", "/outbound/calls", { customerNumber, ...more })).rowId);
}

const held = (rowId: string) =>
  world.until(`/call-rows/${rowId}`, (row) => (row.error as Json | null)?.code === "OPT_OUT_REVIEW") as Promise<Row>;
const ended = (rowId: string) => world.until(`/call-rows/${rowId}`, (row) => row.endedAt !== null) as Promise<Row>;

describe("a call that ends in doubt", () => {
  test("is flagged with the person's words, and every dial of the number waits; a dismissal lets them go on", async () => {
    const number = "+12025550100";
    const call = await dialogue(number, [DOUBTFUL]);
    expect(call).toMatchObject({ status: "COMPLETED", optOutReview: { state: "OPEN" } });
    const [review, ...others] = await reviewsOf(number);
    expect(others).toEqual([]);
    expect(review).toMatchObject({
      id: call.optOutReview?.id,
      state: "OPEN",
      reason: "UNANSWERED",
      number,
      callRowId: call.id,
      chatSessionId: null,
      sessionId: call.sessionId,
      language: "en",
      quotes: [{ text: DOUBTFUL, startMs: expect.any(Number), at: null }],
      decidedAt: null,
    });
    const single = await place(number);
    const job = String((await ask("POST", "/call-jobs", { rows: [{ customerNumber: number }] })).id);
    const [row] = (await ask("GET", `/call-jobs/${job}/rows`)).content as [Row];
    for (const id of [single, row.id]) {
      expect(await held(id)).toMatchObject({ status: "QUEUED", attempts: [], nextAttemptAt: null, optOutReview: null });
    }
    expect(await ask("POST", `/call-jobs/${job}/preflight`)).toMatchObject({
      skippedRows: 0,
      waits: [{ code: "OPT_OUT_REVIEW", count: 1 }],
    });
    const chat = { channel: "SMS", contactPhone: number, flow: { ...INLINE, channelMode: "SMS" } };
    expect(await chats.start(chat)).toMatchObject({ status: 422, body: { details: [{ code: "OPT_OUT_REVIEW" }] } });
    expect(await chats.start({ channel: "CHAT", contactPhone: number, flow: INLINE })).toMatchObject({ status: 422 });

    const dismissed = await decide(String(review?.id), "DISMISS", "Only the newsletter");
    expect(dismissed).toMatchObject({
      status: 200,
      body: { state: "DISMISSED", note: "Only the newsletter", decidedBy: expect.stringMatching(/^API key /) },
    });
    for (const id of [single, row.id]) {
      expect(await ended(id)).toMatchObject({ status: "COMPLETED", attempts: [{ state: "ENDED" }] });
    }
    expect((await ask("GET", `/call-rows/${call.id}`)).optOutReview).toEqual({ id: review?.id, state: "DISMISSED" });
  });

  test("holds the retry of a row that waits already; a confirmation lists the number and skips it", async () => {
    const number = "+12025550110";
    await world.operator("workspace.update", { id: world.sample.workspaceId, sandboxSpeed: 1000 });
    const retryConfig = { maxAttempts: 3, delaysSeconds: [3_600], jitterPercent: 0 };
    const waiting = await place(number, { retryConfig });
    await world.until(`/call-rows/${waiting}`, (row) => row.status === "WAITING_FOR_RETRY");
    const call = await dialogue(number, [DOUBTFUL, "What do you mean?"]);
    await world.operator("workspace.update", { id: world.sample.workspaceId, sandboxSpeed: "instant" });
    const row = await held(waiting);
    expect(row).toMatchObject({ status: "WAITING_FOR_RETRY", attempt: 1, nextAttemptAt: null });
    expect(row.attempts).toHaveLength(1);
    expect(await decide(String(call.optOutReview?.id), "CONFIRM")).toMatchObject({ body: { state: "CONFIRMED" } });
    expect(await ended(waiting)).toMatchObject({ status: "SKIPPED", attempt: 1, error: { code: "DO_NOT_CALL" } });
    expect(await ask("GET", `/do-not-call/${number}`)).toMatchObject({ source: "SPOKEN_REFUSAL" });
    const audited = await world.database.query("select actor, action from audit_log where target = $1", [
      call.optOutReview?.id,
    ]);
    expect(audited).toMatchObject([{ action: "opt_out_review.confirmed" }]);
  });

  test("is none when the person says that contact may go on, or when the number came onto the list", async () => {
    const denied = "+12025550101";
    expect(await dialogue(denied, [DOUBTFUL, "No, go on"])).toMatchObject({ optOutReview: null });
    const listed = "+12025550102";
    expect(await dialogue(listed, ["Never call me again"])).toMatchObject({ outcome: "OPTED_OUT", optOutReview: null });
    expect(await reviewsOf(denied)).toEqual([]);
    expect(await reviewsOf(listed)).toEqual([]);
  });

  test("is none where no number is known that could be held", async () => {
    expect(await dialogue(undefined, [DOUBTFUL])).toMatchObject({ optOutReview: null });
  });
});

describe("an opt-out that could not be recorded", () => {
  test("holds the number until somebody confirms it", async () => {
    const number = "+12025550103";
    await world.database.query(`alter table do_not_call add constraint refuse check (number <> '${number}') not valid`);
    let call: Row;
    try {
      call = await dialogue(number, ["Never call me again"]);
    } finally {
      await world.database.query("alter table do_not_call drop constraint refuse");
    }
    expect(call).toMatchObject({ outcome: "OPTED_OUT", error: { code: "DO_NOT_CALL_FAILED" } });
    const [review] = await reviewsOf(number);
    expect(review).toMatchObject({ state: "OPEN", reason: "NOT_RECORDED" });
    const waiting = await place(number);
    await held(waiting);
    await decide(String(review?.id), "CONFIRM");
    expect(await ended(waiting)).toMatchObject({ status: "SKIPPED", error: { code: "DO_NOT_CALL" } });
  });
});

describe("a conversation that died with its node", () => {
  /** Says a line in a web call of a server that dies then, and returns the call as another server ended it. */
  async function lose(body: Json, text: string): Promise<Row> {
    const server = await ServerProcess.create({ DATABASE_URL: world.database.url });
    await server.start();
    const made = await ask("POST", "/web-calls", body);
    const url = String(made.socketUrl).replace(new URL(world.url).host, new URL(server.url).host);
    using page = await PageSocket.hello(url, String(made.token));
    await page.next("ready");
    page.send({ type: "accept", mode: "TEXT" });
    await page.next("text");
    page.send({ type: "text", text });
    await world.until(`/call-rows/${String(made.callRowId)}`, (row) => String(row.transcriptText).includes(text));
    server.kill();
    const row = await ended(String(made.callRowId));
    await server.stop();
    return row;
  }

  test("is looked over by its last words that were kept", async () => {
    const number = "+12025550104";
    const row = await lose({ flow: FLOW, customerNumber: number }, DOUBTFUL);
    expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", optOutReview: { state: "OPEN" } });
    expect(await reviewsOf(number)).toMatchObject([{ quotes: [{ text: DOUBTFUL }] }]);
  });

  test("is looked over in the language of its saved flow", async () => {
    const number = "+12025550111";
    // Danish reads the same, and comes before Norwegian where neither is the flow's.
    const text = "Hvor mange ganger skal dere ringe meg egentlig";
    const flow = await ask("POST", "/flows", { ...FLOW, language: "no-NO" });
    await lose({ flowId: flow.id, customerNumber: number }, text);
    expect(await reviewsOf(number)).toMatchObject([{ language: "no", quotes: [{ text }] }]);
  });
});

describe("a chat that ends in doubt", () => {
  test("is flagged when it ends; a call to the same number waits", async () => {
    const contactPhone = "+12025550105";
    const { session } = await chats.started({ channel: "CHAT", contactPhone, flow: INLINE });
    await chats.write(session.id, DOUBTFUL);
    expect(await chats.read(session.id)).toMatchObject({ status: "ACTIVE", optOutReview: null });
    await world.request("POST", `/chat-sessions/${session.id}/close`, { body: {} });
    expect(await chats.read(session.id)).toMatchObject({ status: "CLOSED", optOutReview: { state: "OPEN" } });
    const [review] = await reviewsOf(contactPhone);
    expect(review).toMatchObject({
      reason: "UNANSWERED",
      chatSessionId: session.id,
      callRowId: null,
      quotes: [{ text: DOUBTFUL, startMs: null, at: expect.any(String) }],
    });
    const waiting = await place(contactPhone);
    await held(waiting);
    await decide(String(review?.id), "DISMISS");
    expect((await ended(waiting)).attempts).toHaveLength(1);
  });

  test("with somebody of whom no number is known holds their next chat, and a confirmation opts them out", async () => {
    const contactIdentifier = `doubt-${randomUUID()}`;
    const start = { channel: "CHAT", contactIdentifier, flow: INLINE };
    const { session } = await chats.started(start);
    await chats.write(session.id, DOUBTFUL);
    await world.request("POST", `/chat-sessions/${session.id}/close`, { body: {} });
    const { optOutReview } = (await chats.read(session.id)) as unknown as Row;
    expect(await chats.start(start)).toMatchObject({ status: 422, body: { details: [{ code: "OPT_OUT_REVIEW" }] } });
    await decide(String(optOutReview?.id), "CONFIRM");
    expect(await chats.start(start)).toMatchObject({ status: 422, body: { details: [{ code: "DO_NOT_CALL" }] } });
  });
});

describe("a decision", () => {
  test("is one: of two at once that differ one is refused, and the same again changes nothing", async () => {
    const number = "+12025550106";
    const { optOutReview } = await dialogue(number, [DOUBTFUL]);
    const id = String(optOutReview?.id);
    const both = await Promise.all([decide(id, "CONFIRM"), decide(id, "DISMISS")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { state } = await ask("GET", `/opt-out-reviews/${id}`);
    const [same, other] = state === "CONFIRMED" ? ["CONFIRM", "DISMISS"] : ["DISMISS", "CONFIRM"];
    expect(await decide(id, String(same))).toMatchObject({ status: 200, body: { state } });
    expect(await decide(id, String(other))).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const audited = await world.database.query("select 1 from audit_log where target = $1", [id]);
    expect(audited).toHaveLength(1);
    expect((await world.request("GET", `/do-not-call/${number}`)).status).toBe(state === "CONFIRMED" ? 200 : 404);
  });

  test("to confirm decides the person's other reviews, too; to dismiss leaves them", async () => {
    const number = "+12025550107";
    const first = await dialogue(number, [DOUBTFUL]);
    const second = await dialogue(number, [DOUBTFUL]);
    const waiting = await place(number);
    await held(waiting);
    await decide(String(first.optOutReview?.id), "DISMISS");
    expect(await held(waiting)).toMatchObject({ attempts: [] });
    const third = await dialogue(number, [DOUBTFUL]);
    await decide(String(second.optOutReview?.id), "CONFIRM");
    expect((await reviewsOf(number)).map(({ state }) => state)).toEqual(["CONFIRMED", "CONFIRMED", "DISMISSED"]);
    expect((await reviewsOf(number))[0]?.id).toBe(third.optOutReview?.id);
    expect(await ended(waiting)).toMatchObject({ status: "SKIPPED" });
  });

  test("is of the workspace's own reviews, and only for whoever may change call jobs", async () => {
    const number = "+12025550108";
    const { optOutReview } = await dialogue(number, [DOUBTFUL]);
    const id = String(optOutReview?.id);
    const other = await world.createWorkspace();
    const asOther = { key: other.apiKey };
    expect((await world.request("GET", `/opt-out-reviews/${id}`, asOther)).status).toBe(404);
    const body = { decision: "DISMISS" };
    expect((await world.request("POST", `/opt-out-reviews/${id}/decision`, { ...asOther, body })).status).toBe(404);
    expect((await world.request("GET", "/opt-out-reviews", asOther)).body.content).toEqual([]);
    const placed = await world.request("POST", "/outbound/calls", { ...asOther, body: { customerNumber: number } });
    const path = `/call-rows/${String(placed.body.rowId)}`;
    const row = await world.until(path, ({ endedAt }) => endedAt !== null, undefined, other.apiKey);
    expect(row).toMatchObject({ status: "COMPLETED" });
    expect((await decide(id, "MAYBE")).status).toBe(422);
    expect((await decide(randomUUID(), "DISMISS")).status).toBe(404);
  });
});

test("reviews are listed newest first, page by page, by state", async () => {
  const page = await ask("GET", "/opt-out-reviews?state=OPEN&size=1");
  const all = (await ask("GET", "/opt-out-reviews?size=200")).content as Review[];
  const open = all.filter(({ state }) => state === "OPEN");
  expect(open.length).toBeGreaterThan(1);
  expect(page).toMatchObject({ totalElements: open.length, content: [{ id: open[0]?.id }], last: false });
  const next = await ask("GET", `/opt-out-reviews?state=OPEN&size=1&cursor=${String(page.nextCursor)}`);
  expect(next.content).toMatchObject([{ id: open[1]?.id }]);
  expect((await world.request("GET", "/opt-out-reviews?state=MAYBE")).status).toBe(400);
});

test("an erasure waits for the decision, and takes the person's words with it", async () => {
  const number = "+12025550109";
  const { optOutReview } = await dialogue(number, [DOUBTFUL]);
  const found = (await ask("GET", `/contacts?phone=${encodeURIComponent(number)}`)).content as [{ id: string }];
  const erase = () => world.request("DELETE", `/contacts/${found[0].id}`);
  expect(await erase()).toMatchObject({ status: 409, body: { message: expect.stringContaining("review") } });
  await decide(String(optOutReview?.id), "DISMISS");
  expect((await erase()).status).toBe(204);
  expect(await reviewsOf(number)).toEqual([]);
});

test("an erasure takes the words of a review that was decided before the person's number was known", async () => {
  const [contactIdentifier, contactPhone] = [`later-${randomUUID()}`, "+12025550163"];
  const start = { channel: "CHAT", contactIdentifier, flow: INLINE };
  const talk = async (body: Json) => {
    const { session } = await chats.started(body);
    await chats.write(session.id, DOUBTFUL);
    await world.request("POST", `/chat-sessions/${session.id}/close`, { body: {} });
    const { optOutReview } = (await chats.read(session.id)) as unknown as Row;
    await decide(String(optOutReview?.id), "DISMISS");
    return String(optOutReview?.id);
  };
  const reviews = [await talk(start), await talk({ ...start, contactPhone })];
  const [contact] = await chats.contacts({ identifier: contactIdentifier });
  expect(contact).toMatchObject({ phone: contactPhone, chatCount: 2 });
  expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
  for (const id of reviews) expect((await world.request("GET", `/opt-out-reviews/${id}`)).status).toBe(404);
});
