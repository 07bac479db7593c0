import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ModelServer } from "../kit/model-server.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { FRAME_BYTES, say } from "../kit/supervisor-voice.ts";
import { type Sample, World } from "../kit/world.ts";

/* Supervisors of calls in audio (speed 1) and in text, over HTTP and the WebSocket. */

type Json = Record<string, unknown>;
interface Turn {
  role: string;
  content: string;
  startMs: number;
  endMs: number;
  whisper?: boolean;
  supervisor?: string;
  interrupted?: boolean;
}

const AGREES = "+12025550100";
const SILENT = "+12025550104";
/** Rings as long as a flow lets it. */
const UNANSWERED = "+12025550111";

let world: World;
let model: ModelServer;
beforeAll(async () => {
  world = await World.start({ speed: 1, env: { ALLOW_PRIVATE_NETWORK: "1" } });
  model = await ModelServer.start();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

async function post(path: string, body: Json = {}, key?: string) {
  return world.request("POST", path, { body, ...(key ? { key } : {}) });
}

/** Places a call; returns its row's id. */
async function place(customerNumber: string, flow: Json, sample: Sample = world.sample): Promise<string> {
  const body = { customerNumber, flow: { name: "Trial", language: "en-US", ...flow } };
  const placed = await post("/outbound/calls", body, sample.apiKey);
  expect(placed.status, placed.text).toBe(200);
  return String(placed.body.rowId);
}

/** Retries until the call can be supervised. */
async function supervise(rowId: string): Promise<{ token: string; socketUrl: string; expiresAt: string }> {
  for (;;) {
    const reply = await post(`/call-rows/${rowId}/supervise`);
    if (reply.status === 200) return reply.body as never;
    expect(reply.status, reply.text).toBe(409);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function listen(rowId: string): Promise<PageSocket> {
  const { token, socketUrl } = await supervise(rowId);
  const socket = await PageSocket.hello(socketUrl, token);
  expect(await socket.next("ready")).toMatchObject({ callRowId: rowId, mode: "LISTEN" });
  return socket;
}

/** Returns the utterances that a supervisor heard of the agent, and of the person. */
function heardBy({ frames }: PageSocket): [string[], string[]] {
  const side = (from: number) =>
    decodeToneSpeech(decodeMuLaw(Buffer.concat(frames.map((frame) => frame.subarray(from, from + FRAME_BYTES)))));
  return [side(0), side(FRAME_BYTES)];
}

async function endOf(rowId: string, key?: string): Promise<Json & { transcript: Turn[] }> {
  const path = `/call-rows/${rowId}`;
  for (;;) {
    const { body } = await world.request("GET", path, key ? { key } : {});
    if (body.endedAt !== null) return body as never;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function recordingOf(rowId: string): Promise<Int16Array[]> {
  const headers = { "x-api-key": world.sample.apiKey };
  const recording = await fetch(`${world.url}/api/external/v1/call-rows/${rowId}/recording`, { headers });
  return parseWav(new Uint8Array(await recording.arrayBuffer())).channels;
}

async function eventsOf(rowId: string): Promise<{ type: string; data: Json }[]> {
  const rows = await world.database.query(
    "select type, data from events where subject_id = $1 and (type like 'call.supervision%' or type in ('call.whispered', 'call.words_said')) order by id",
    [rowId],
  );
  return rows as unknown as { type: string; data: Json }[];
}

const SHORT = {
  firstMessage: "Hello from Acme.",
  masterPrompt: "Ask whether they come.",
  structuredOutputs: [
    {
      name: "v",
      schema: { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } },
    },
  ],
};

/** Settings of calls that go on until a test ends them, however slow the machine is. */
const LASTING = { ...SHORT, ringTimeoutSeconds: 120, silenceTimeoutSeconds: 60 };

async function modelFlow(sample: Sample, more: Json = {}): Promise<Json> {
  const own = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "trial", baseUrl: model.url };
  const made = await post("/models", own, sample.apiKey);
  return { firstMessage: "Hello from Acme.", masterPrompt: "Talk.", model: { modelId: made.body.id }, ...more };
}

describe.concurrent("a supervisor", () => {
  test("hears both sides exactly, until the call ends, and the call's events tell of it", async () => {
    const rowId = await place(AGREES, SHORT);
    const socket = await listen(rowId);
    expect(await socket.next("ended")).toMatchObject({ callRowId: rowId });
    await socket.until(() => socket.closed);
    expect(socket.closed).toMatchObject({ code: 1000 });
    const { transcript } = await endOf(rowId);
    const [agent, person] = heardBy(socket);
    const said = (role: string) => transcript.filter((turn) => turn.role === role).map(({ content }) => content);
    expect(agent.length).toBeGreaterThan(1);
    expect(said("ASSISTANT").join(" ").endsWith(agent.join(" "))).toBe(true);
    expect(person.join(" ")).toContain(said("USER").at(-1));
    const events = await eventsOf(rowId);
    expect(events.map(({ type }) => type)).toEqual(["call.supervision_started", "call.supervision_ended"]);
    expect(events[0]?.data).toMatchObject({
      credentialId: expect.any(String),
      supervisionId: events[1]?.data.supervisionId,
    });
  }, 90_000);

  test("is not heard while listening, nor while whispering to an agent without ears; is heard when breaking in", async () => {
    const rowId = await place(SILENT, LASTING);
    const socket = await listen(rowId);
    await socket.until(() => socket.frames.length > 150);
    await say(socket, "Nobody");
    socket.send({ mode: "WHISPER" });
    await socket.next("mode");
    await say(socket, "Agent");
    socket.send({ mode: "BARGE" });
    await socket.next("mode", 2);
    await say(socket, "Everybody");
    const heard = socket.frames.length;
    await socket.until(() => socket.frames.length > heard + 150);
    await post(`/call-rows/${rowId}/end`);
    const { transcript } = await endOf(rowId);
    const [agent] = (await recordingOf(rowId)).map((channel) => decodeToneSpeech(channel));
    expect(agent).toContain("Everybody");
    expect(agent).not.toContain("Nobody");
    expect(agent).not.toContain("Agent");
    expect(JSON.stringify(transcript)).not.toContain("Everybody");
    // Nor do supervisors hear themselves.
    expect(heardBy(socket)[0]).not.toContain("Everybody");
    expect((await eventsOf(rowId)).map(({ data }) => data.mode ?? null)).toEqual(["LISTEN", "WHISPER", "BARGE", null]);
  }, 90_000);

  test("has a token that opens one connection, of one call, and nothing else is taken", async () => {
    const rowId = await place(SILENT, LASTING);
    const { token, socketUrl, expiresAt } = await supervise(rowId);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    using socket = await PageSocket.hello(socketUrl, token);
    await socket.next("ready");
    for (const worthless of [token, `csv_${"x".repeat(44)}`]) {
      const other = await PageSocket.hello(socketUrl, worthless);
      await other.until(() => other.closed);
      expect(other.closed).toMatchObject({ code: 4401 });
    }
    const mute = await PageSocket.open(socketUrl);
    mute.send({ mode: "BARGE" });
    expect(await mute.next("error")).toMatchObject({ code: "NOT_NOW" });
    for (let i = 0; i < 12; i++) mute.sendBytes(new Uint8Array(7));
    await mute.until(() => mute.closed);
    expect(mute.closed).toMatchObject({ code: 4400 });
    await post(`/call-rows/${rowId}/end`);
    await socket.next("ended");
  }, 90_000);

  test("finds no call of another workspace, and is told why there is nothing to hear", async () => {
    const stranger = await world.createWorkspace({ speed: 2 });
    const key = stranger.apiKey;
    const foreign = await place(SILENT, LASTING, stranger);
    for (const [path, body] of [
      ["supervise", {}],
      ["whisper", { text: "Hello" }],
    ] as const) {
      expect((await post(`/call-rows/${foreign}/${path}`, body)).status).toBe(404);
      expect((await post(`/call-rows/${randomUUID()}/${path}`, body)).status).toBe(404);
    }
    const unanswered = await place(UNANSWERED, LASTING, stranger);
    const ringing = await post(`/call-rows/${unanswered}/supervise`, {}, key);
    expect([ringing.status, ringing.body.message]).toEqual([409, expect.stringContaining("not been answered")]);
    for (;;) {
      const { status, body } = await post(`/call-rows/${foreign}/supervise`, {}, key);
      expect(status).toBe(409);
      if (String(body.message).includes("held in text")) break;
      expect(body.message).toContain("answered");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await post(`/call-rows/${foreign}/end`, {}, key);
    await endOf(foreign, key);
    const over = await post(`/call-rows/${foreign}/supervise`, {}, key);
    expect([over.status, over.body.message]).toEqual([409, "The call is over."]);
    expect((await post(`/call-rows/${foreign}/whisper`, { text: "Hello" }, key)).status).toBe(409);
  }, 90_000);
});

describe("a whisper", () => {
  test.each([
    ["audio", 1],
    ["text", 5],
  ] as const)(
    "in %s changes what the agent says next; the person does not hear it",
    async (_kind, speed) => {
      const sample = await world.createWorkspace({ speed });
      model.asked.length = 0;
      model.think = ({ messages }) =>
        JSON.stringify(messages).includes("Offer them Friday")
          ? { text: "How about Friday?", calls: [{ name: "end_call", input: {} }] }
          : { text: "Tell me more." };
      const rowId = await place(AGREES, await modelFlow(sample), sample);
      while (model.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const headers = { "idempotency-key": randomUUID() };
      for (let i = 0; i < 2; i++) {
        const body = { text: "Offer them Friday." };
        const reply = await world.request("POST", `/call-rows/${rowId}/whisper`, { body, headers, key: sample.apiKey });
        expect(reply.status, reply.text).toBe(200);
      }
      const { transcript } = await endOf(rowId, sample.apiKey);
      const whispers = transcript.filter(({ whisper }) => whisper);
      expect(whispers).toMatchObject([{ role: "SYSTEM", content: "Offer them Friday." }]);
      const after = transcript.slice(transcript.indexOf(whispers[0] as Turn) + 1);
      expect(after.find(({ role }) => role === "ASSISTANT")?.content).toBe("How about Friday?");
      const spoken = transcript.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);
      expect(spoken.join(" ")).not.toContain("Offer");
      expect((await eventsOf(rowId)).map(({ type }) => type)).toEqual(["call.whispered"]);
      const late = await post(`/call-rows/${rowId}/whisper`, { text: "Too late" }, sample.apiKey);
      expect([late.status, late.body.message]).toEqual([409, "The call is over."]);
    },
    90_000,
  );

  test("says something, and not too much", async () => {
    const rowId = randomUUID();
    const bad = { "": 422, " ": 422, "\u0000": 400, ["x".repeat(1_001)]: 422 };
    for (const [text, status] of Object.entries(bad)) {
      expect((await post(`/call-rows/${rowId}/whisper`, { text })).status, text).toBe(status);
    }
    expect((await post(`/call-rows/${rowId}/whisper`, { text: 7 })).status).toBe(400);
  });
});

describe("typed words", () => {
  test.each([
    ["audio", 1],
    ["text", 5],
  ] as const)(
    "in %s are said by the agent's voice, once, and stand in the transcript as the supervisor's",
    async (_kind, speed) => {
      const sample = await world.createWorkspace({ speed });
      model.asked.length = 0;
      model.think = ({ messages }) =>
        JSON.stringify(messages).includes("Our office opens at nine")
          ? { text: "Goodbye.", calls: [{ name: "end_call", input: {} }] }
          : { text: "Tell me more." };
      const rowId = await place(AGREES, await modelFlow(sample), sample);
      while (model.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const headers = { "idempotency-key": randomUUID() };
      for (let i = 0; i < 2; i++) {
        const body = { text: " Our office opens at nine. " };
        const reply = await world.request("POST", `/call-rows/${rowId}/say`, { body, headers, key: sample.apiKey });
        expect([reply.status, reply.body], reply.text).toEqual([
          200,
          expect.objectContaining({ callRowId: rowId, text: "Our office opens at nine." }),
        ]);
      }
      const { transcript } = await endOf(rowId, sample.apiKey);
      expect(transcript.filter(({ supervisor }) => supervisor !== undefined)).toMatchObject([
        { role: "ASSISTANT", content: "Our office opens at nine.", supervisor: "TYPED" },
      ]);
      expect(transcript.findLast(({ role }) => role === "ASSISTANT")?.content).toBe("Goodbye.");
      expect((await eventsOf(rowId)).map(({ type }) => type)).toEqual(["call.words_said"]);
      const late = await post(`/call-rows/${rowId}/say`, { text: "Too late" }, sample.apiKey);
      expect([late.status, late.body.message]).toEqual([409, "The call is over."]);
    },
    90_000,
  );

  test("end a silence at once, also while the agent is silenced, and ten of them wait at most", async () => {
    const rowId = await place(SILENT, LASTING);
    const socket = await listen(rowId);
    await socket.until(() => socket.frames.length > 100);
    socket.send({ mode: "TAKE_OVER" });
    await socket.next("mode");
    expect((await post(`/call-rows/${rowId}/say`, { text: "One moment." })).status).toBe(200);
    await socket.until(() => heardBy(socket)[0].includes("One moment."));
    // The agent may take up to ten at once, and says those before it takes more.
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, i) => post(`/call-rows/${rowId}/say`, { text: `${"very ".repeat(40)}${i}` })),
    );
    const refused = many.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body } of refused)
      expect([status, body.message]).toEqual([409, expect.stringContaining("Ten texts wait")]);
    await post(`/call-rows/${rowId}/end`);
    const { transcript } = await endOf(rowId);
    expect(transcript.find(({ supervisor }) => supervisor === "TYPED")?.content).toBe("One moment.");
  }, 90_000);

  test("are refused where nobody listens, and when they are nothing or too much", async () => {
    const stranger = await world.createWorkspace({ speed: 2 });
    const foreign = await place(UNANSWERED, LASTING, stranger);
    expect((await post(`/call-rows/${foreign}/say`, { text: "Hello" })).status).toBe(404);
    const early = await post(`/call-rows/${foreign}/say`, { text: "Hello" }, stranger.apiKey);
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining("not been answered")]);
    const bad = { "": 422, " ": 422, ["x".repeat(1_001)]: 422 };
    for (const [text, status] of Object.entries(bad))
      expect((await post(`/call-rows/${foreign}/say`, { text }, stranger.apiKey)).status, text).toBe(status);
  }, 90_000);
});

describe("taking a call over", () => {
  test("puts what the supervisor says into the transcript, and the agent knows it when it goes on", async () => {
    model.asked.length = 0;
    model.think = () => ({ text: "Eight it is. Goodbye.", calls: [{ name: "end_call", input: {} }] });
    const rowId = await place(SILENT, await modelFlow(world.sample, { silenceTimeoutSeconds: 60 }));
    const socket = await listen(rowId);
    await socket.until(() => socket.frames.length > 150);
    socket.send({ mode: "TAKE_OVER" });
    await socket.next("mode");
    await say(socket, "Come at eight");
    const turnsOf = async () => (await world.request("GET", `/call-rows/${rowId}`)).body.transcript as Turn[];
    await expect.poll(async () => (await turnsOf()).map(({ content }) => content)).toContain("Come at eight");
    expect(model.asked).toHaveLength(0);
    await say(socket, "Bring your card");
    // The last words are still to be recognised when the call is handed back.
    socket.send({ mode: "LISTEN" });
    await socket.next("mode", 2);
    const { transcript } = await endOf(rowId);
    const spoken = transcript.filter(({ role }) => role === "ASSISTANT");
    expect(spoken.map(({ content, supervisor }) => [content, supervisor])).toEqual([
      ["Hello from Acme.", undefined],
      ["Come at eight", "SPOKEN"],
      ["Bring your card", "SPOKEN"],
      ["Eight it is. Goodbye.", undefined],
    ]);
    for (const { startMs, endMs } of spoken) expect(endMs).toBeGreaterThan(startMs);
    expect(JSON.stringify(model.asked[0])).toMatch(/Come at eight.*Bring your card.*You have read what they said/);
  }, 90_000);
});

describe.concurrent("ending a call", () => {
  const hangUp = (rowId: string, key: string) => post(`/call-rows/${rowId}/end`, {}, key);

  test("that still rings cancels it for good", async () => {
    const sample = await world.createWorkspace({ speed: 1 });
    const rowId = await place(UNANSWERED, LASTING, sample);
    for (;;) {
      const reply = await hangUp(rowId, sample.apiKey);
      if (reply.status === 200) break;
      expect(reply.status, reply.text).toBe(409);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const row = await endOf(rowId, sample.apiKey);
    expect(row).toMatchObject({
      status: "CANCELLED",
      outcome: "CANCELLED",
      endReason: "ENDED_BY_REQUEST",
      answeredAt: null,
      transcript: [],
    });
  }, 60_000);

  test("under way keeps what was said, and is told from an end by the agent", async () => {
    const sample = await world.createWorkspace({ speed: 2 });
    const rowId = await place(SILENT, LASTING, sample);
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${rowId}`, { key: sample.apiKey });
      if ((body.transcript as unknown[]).length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await hangUp(rowId, world.sample.apiKey)).status).toBe(404);
    expect((await hangUp(rowId, sample.apiKey)).body).toEqual({ callRowId: rowId, ending: true });
    const row = await endOf(rowId, sample.apiKey);
    expect(row).toMatchObject({ status: "COMPLETED", endReason: "ENDED_BY_REQUEST", error: null });
    expect(row.transcript[0]?.content).toBe(SHORT.firstMessage);
    const late = await hangUp(rowId, sample.apiKey);
    expect([late.status, late.body.message]).toEqual([409, "The call is over."]);
    const [asked] = await world.database.query(
      "select type from events where subject_id = $1 and type like '%requested'",
      [rowId],
    );
    expect(asked).toEqual({ type: "call.end_requested" });
  }, 60_000);
});

describe("a transfer", () => {
  test("that nobody answers keeps the person on hold with a sound, and gives them back to the agent", async () => {
    const tools = (await world.request("GET", "/tools")).body as unknown as { id: string; name: string }[];
    const toolIds = [tools.find(({ name }) => name === "transfer_call")?.id];
    const target = {
      name: "desk",
      destination: "+12025550111",
      ringTimeoutSeconds: 6,
      fallbackMessage: "Nobody is there.",
    };
    let asked = 0;
    model.think = () =>
      ++asked === 1
        ? { calls: [{ name: "transfer_call", input: { target: "desk" } }] }
        : { text: "Goodbye.", calls: [{ name: "end_call", input: {} }] };
    const rowId = await place(AGREES, await modelFlow(world.sample, { toolIds, transferTargets: [target] }));
    const { transcript, endReason } = await endOf(rowId);
    expect(endReason).toBe("AGENT_ENDED_CALL");
    const held = transcript.find(({ content }) => content.includes("NO_ANSWER")) as Turn;
    const [agent] = await recordingOf(rowId);
    const at = (ms: number) => Math.round(ms * 8);
    const sound = agent?.subarray(at(held.startMs + 200), at(held.endMs - 200)) as Int16Array;
    expect(sound.length).toBeGreaterThan(8 * 4_000);
    const level = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length);
    expect(level).toBeGreaterThan(100);
    expect(decodeToneSpeech(agent as Int16Array)).toEqual(["Hello from Acme.", "Nobody is there.", "Goodbye."]);
  }, 90_000);
});
