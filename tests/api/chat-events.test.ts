import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chat, ChatHarness, INLINE, type Json } from "../kit/chat-harness.ts";
import { createDatabase } from "../kit/database.ts";
import { EventReader, says, type ServerEvent } from "../kit/event-reader.ts";
import { TrialServer } from "../kit/model-vendors/trial-server.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  stranger = await world.createWorkspace();
  harness = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const follow = (id: string, lastEventId?: string, key = world.sample.apiKey, query = "") =>
  EventReader.open(`${world.url}/api/external/v1/chat-sessions/${id}/events${query}`, {
    "x-api-key": key,
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  });

const stored = (events: ServerEvent[]) => events.filter(({ id }) => id !== "");
const idsOf = (events: ServerEvent[]) => stored(events).map(({ id }) => Number(id));
const messageOf = ({ data }: ServerEvent) => data.message as Json;
const sessionOf = ({ data }: ServerEvent) => data.session as Json;

describe("the events of a chat", () => {
  test("tell its messages from the first on, as they are written, and its end", async () => {
    const { session, messages } = await harness.started({ channel: "CHAT", flow: INLINE, contactName: "Anna" });
    const reader = await follow(session.id);
    expect(reader.headers.get("content-type")).toContain("text/event-stream");
    expect(reader.headers.get("cache-control")).toBe("no-store");
    expect(messageOf(await reader.until(says("Hello Anna")))).toEqual(messages[0]);
    const written = await harness.write(session.id, "Good day");
    await reader.until(says("Good day"));
    await world.request("POST", `/chat-sessions/${session.id}/close`);
    await reader.end();
    expect(idsOf(reader.events)).toEqual(idsOf(reader.events).map((_id, i) => i + 1));
    const reported = stored(reader.events).filter(({ type }) => type === "message.created");
    expect(reported.map(messageOf)).toEqual([...messages, ...written.messages]);
    const ends = stored(reader.events).filter(({ type }) => type === "session.updated");
    expect(ends.map(sessionOf)).toMatchObject([
      { id: session.id, status: "CLOSED", aiMode: "OFF", endReason: "CLOSED_BY_REQUEST", outputsReady: false },
      { status: "CLOSED", outputsReady: true },
    ]);
    const resumed = await follow(session.id, String(idsOf(reader.events).at(-1)));
    expect(resumed.status).toBe(204);
  });

  test("go on behind Last-Event-ID without loss or repetition, wherever the stream broke", async () => {
    const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
    const texts = Array.from({ length: 130 }, (_, i) => `Line ${i}`);
    const path = `/chat-sessions/${session.id}`;
    await world.request("POST", `${path}/take-over`);
    const first = await follow(session.id);
    const writing = (async () => {
      for (const text of texts) await harness.write(session.id, text);
    })();
    await first.until(says("Line 20"));
    first.close();
    const seen = [...first.events];
    for (let round = 0; round < 4; round++) {
      const next = await follow(session.id, String(idsOf(seen).at(-1)));
      await next.until(({ id }) => id !== "");
      next.close();
      seen.push(...next.events);
    }
    await writing;
    const rest = await follow(session.id, String(idsOf(seen).at(-1)), undefined, "?follow=false");
    seen.push(...(await rest.end()).events);
    const all = await (await follow(session.id, undefined, undefined, "?follow=false")).end();
    expect(stored(seen)).toEqual(stored(all.events));
    const contents = stored(all.events).flatMap((event) =>
      event.type === "message.created" ? messageOf(event).content : [],
    );
    expect(contents.slice(1)).toEqual(texts);
  });

  test("tell how far a delivery got, each state once and forward", async () => {
    const { session } = await harness.started({
      channel: "WHATSAPP",
      contactPhone: "+12025550100",
      initialMessage: "Hi",
    });
    const reader = await follow(session.id);
    await reader.until(
      ({ type, data }) => type === "message.updated" && (data.message as Json).deliveryStatus === "READ",
    );
    const states = reader.events
      .filter(({ type }) => type.startsWith("message"))
      .map((event) => messageOf(event).deliveryStatus);
    expect(states).toEqual(["QUEUED", "SENT", "DELIVERED", "READ"].filter((state) => states.includes(state)));
    expect(states.slice(0, 2)).toEqual(["QUEUED", "SENT"]);
    reader.close();
    const failed = await harness.started({ channel: "SMS", contactPhone: "+12025550130", initialMessage: "Hi" });
    const other = await follow(failed.session.id);
    const update = await other.until(({ type }) => type === "message.updated");
    expect(messageOf(update)).toMatchObject({ deliveryStatus: "FAILED", errorCode: "INVALID_NUMBER" });
    other.close();
  });

  test("are asked for with an id of theirs, by who may, and end when nothing is to follow", async () => {
    const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
    for (const id of ["x", "-1", "1.5", "99999999999999999999", "1, 2"]) {
      expect((await follow(session.id, id)).status, id).toBe(400);
    }
    const foreign = await follow(session.id, undefined, stranger.apiKey);
    expect(foreign.status).toBe(404);
    const beyond = await (await follow(session.id, "999", undefined, "?follow=false")).end();
    expect([beyond.status, beyond.events]).toEqual([200, []]);
    const head = await fetch(`${world.url}/api/external/v1/chat-sessions/${session.id}/events`, {
      method: "HEAD",
      headers: { "x-api-key": world.sample.apiKey },
    });
    expect(head.status).toBe(200);
  });

  test("a credential holds a hundred streams, and what it lets go of it may open again", async () => {
    const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
    const { apiKey } = await world.operator("key.create", { workspaceId: world.sample.workspaceId });
    const readers = await Promise.all(Array.from({ length: 100 }, () => follow(session.id, undefined, String(apiKey))));
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await (await follow(session.id, undefined, String(apiKey))).end();
    expect([refused.status, JSON.parse(refused.text), refused.headers.get("retry-after")]).toEqual([
      429,
      { status: 429, error: "Rate limit exceeded" },
      expect.stringMatching(/^\d+$/),
    ]);
    expect((await follow(session.id)).status).toBe(200);
    readers[0]?.close();
    for (let status = 0; status !== 200; status = (await follow(session.id, undefined, String(apiKey))).status) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const reader of readers) reader.close();
  });
});

test("a client that reads nothing holds up nobody, and gets all of it when it reads again", async () => {
  const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
  await world.request("POST", `/chat-sessions/${session.id}/take-over`);
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `GET /api/external/v1/chat-sessions/${session.id}/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.sample.apiKey}\r\n\r\n`,
  );
  await once(socket, "readable");
  socket.pause();
  const other = await follow(session.id);
  const long = "x".repeat(4_000);
  // Far more than the buffers in between hold.
  await world.database.query(
    `with chat as (update chat_sessions set message_count = message_count + 4000, event_seq = event_seq + 4000
                    where id = $1 returning workspace_id, id, message_count, event_seq),
          made as (insert into chat_messages (workspace_id, id, session_id, position, anchor, role, content)
                   select workspace_id, gen_random_uuid(), id, message_count - 4000 + n, message_count - 4000 + n, 'USER', n || $2
                     from chat, generate_series(1, 4000) n returning workspace_id, session_id, id, position)
     insert into chat_events (workspace_id, session_id, seq, type, message_id, data)
     select m.workspace_id, m.session_id, event_seq - message_count + position, 'message.created', m.id, '{}' from made m, chat`,
    [session.id, long],
  );
  await other.until(says(`4000${long}`));
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  socket.resume();
  while (!text.includes(`"4000${long.slice(0, 10)}`)) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const n of [1, 2_000, 3_999]) expect(text.includes(`"${n}${long.slice(0, 10)}`)).toBe(true);
  socket.destroy();
  other.close();
});

describe("while the agent answers", () => {
  test("typing is told, and a person who takes over silences the turn under way", async () => {
    await using server = await TrialServer.start();
    const model = await world.request("POST", "/models", {
      body: { name: "Slow", provider: "OPENAI_COMPATIBLE", model: "trial", baseUrl: server.url },
    });
    server.answer = { body: "", end: "STALL" };
    const flow = { ...INLINE, model: { modelId: model.body.id } };
    const { session } = await harness.started({ channel: "CHAT", flow });
    const reader = await follow(session.id);
    const writing = harness.write(session.id, "Is anybody there?");
    await reader.until(({ type, data }) => type === "typing" && data.active === true);
    await world.request("POST", `/chat-sessions/${session.id}/take-over?assignee=Berta`);
    const taken = await reader.until(({ type }) => type === "session.updated");
    expect(sessionOf(taken)).toMatchObject({ status: "HANDED_OFF", aiMode: "PAUSED", handoff: { assignee: "Berta" } });
    await reader.until(({ type, data }) => type === "typing" && data.active === false);
    expect((await writing).messages.map(({ role }) => role)).toEqual(["USER"]);
    await harness.write(session.id, "Berta here.", { role: "AGENT" });
    await reader.until(says("Berta here."));
    reader.close();
  });
});

test("taking over and handing back while people write answers nothing twice, and the stream tells it as it is stored", async () => {
  const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
  const reader = await follow(session.id);
  const path = `/chat-sessions/${session.id}`;
  const turns = (async () => {
    for (let i = 0; i < 12; i++) {
      await world.request("POST", `${path}/${i % 2 === 0 ? "take-over" : "hand-back"}`);
    }
  })();
  const written = await Promise.all(
    Array.from({ length: 12 }, (_, i) => harness.write(session.id, `Who is this, ${"please ".repeat(i)}?`)),
  );
  await turns;
  expect(written.every(({ messages }) => messages.length <= 2 && messages[0]?.role === "USER")).toBe(true);
  await world.until(path, ({ aiMode }) => aiMode === "ACTIVE");
  await harness.write(session.id, "Last");
  await world.request("POST", `${path}/close`);
  await reader.end();
  const reported = stored(reader.events).filter(({ type }) => type === "message.created");
  expect(reported.map(messageOf)).toEqual(await harness.messages(session.id));
  const answers = reported.filter((event) => messageOf(event).role === "ASSISTANT").length;
  expect(answers).toBeLessThanOrEqual(1 + 13);
  const states = reader.events.filter(({ type }) => type === "session.updated").map((event) => sessionOf(event).status);
  expect(states.filter((state) => state === "HANDED_OFF")).toHaveLength(6);
});

test("a turn that another node takes shows in the stream of this one", { timeout: 120_000 }, async () => {
  const database = await createDatabase();
  const nodes = await Promise.all([0, 1].map(() => ServerProcess.create({ DATABASE_URL: database.url })));
  const [api, worker] = nodes as [ServerProcess, ServerProcess];
  const readers: EventReader[] = [];
  try {
    await api.start();
    await worker.start();
    const sample = (await api.operator("workspace.create", { name: "N", sample: true })) as unknown as Sample;
    const headers = { "x-api-key": sample.apiKey, "content-type": "application/json" };
    const send = async (url: string, path: string, body: object) =>
      (await (
        await fetch(`${url}/api/external/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
      ).json()) as Chat;
    const { session } = await send(api.url, "/outbound/chats", { channel: "CHAT", contactName: "Anna" });
    const path = `/chat-sessions/${session.id}`;
    const reader = await EventReader.open(`${api.url}/api/external/v1${path}/events`, headers);
    readers.push(reader);
    const { messages } = await send(worker.url, `${path}/messages`, { content: "Hello" });
    await reader.until(says(messages.at(-1)?.content ?? "-"));
    // The node that holds the stream dies; the other one resumes after the last event id received.
    api.kill();
    await reader.end();
    const last = idsOf(reader.events).at(-1);
    const resumed = await EventReader.open(`${worker.url}/api/external/v1${path}/events`, {
      ...headers,
      "last-event-id": String(last),
    });
    readers.push(resumed);
    await send(worker.url, `${path}/messages`, { content: "Yes, I will" });
    await resumed.until(says("How many people"));
    const ids = [...idsOf(reader.events), ...idsOf(resumed.events)];
    expect(ids).toEqual(ids.map((_id, i) => i + 1));
  } finally {
    for (const reader of readers) reader.close();
    await Promise.all(nodes.map((node) => node.stop()));
    await database.drop();
  }
});
