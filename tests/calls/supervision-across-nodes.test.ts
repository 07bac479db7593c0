import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { LONG_CONVERSATION } from "../kit/dashboard/long-conversation.ts";
import { EventReader } from "../kit/event-reader.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { say } from "../kit/supervisor-voice.ts";
import { World } from "../kit/world.ts";

/* One database, two nodes: `near` serves the dashboard and dials nothing, `far` holds every call. */

type Json = Record<string, unknown>;

const SECRET = "a secret that both nodes share";
const INTERRUPTS = "+12025550103";
const SILENT = "+12025550104";
const PATIENT = { firstMessage: "Hello from Acme.", masterPrompt: "Ask whether they come.", silenceTimeoutSeconds: 60 };

let near: World;
let far: ServerProcess;
let owner: Tab;
let path: string;

beforeAll(async () => {
  near = await World.start({ roles: ["api"], speed: 1, env: { PARLEY_SECRET: SECRET } });
  far = await ServerProcess.create({ DATABASE_URL: near.database.url, PARLEY_SECRET: SECRET });
  await far.start();
  owner = await setUpOwner(near);
  path = `/workspaces/${near.sample.workspaceId}`;
}, 60_000);
afterAll(async () => {
  far.kill();
  await far.stop();
  await near[Symbol.asyncDispose]();
});

function post(what: string, body: Json = {}, headers: Record<string, string> = {}) {
  return near.request("POST", what, { body, headers });
}

/** A call that the far node holds and that has been answered. */
async function place(key = near.sample.apiKey): Promise<string> {
  const flow = { name: "Trial", language: "en-US", ...PATIENT };
  const placed = await near.request("POST", "/outbound/calls", { body: { customerNumber: SILENT, flow }, key });
  const rowId = String(placed.body.rowId);
  for (;;) {
    const { body } = await near.request("GET", `/call-rows/${rowId}`, { key });
    if (body.status === "IN_PROGRESS") return rowId;
    expect(body.endedAt, placed.text).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Ask = () => Promise<{ status: number; text: string; body: Json }>;

/** Listens to a call through the near node. */
async function listen(rowId: string, ask: Ask = () => post(`/call-rows/${rowId}/supervise`)): Promise<PageSocket> {
  for (;;) {
    const { status, body, text } = await ask();
    if (status === 409) continue;
    if (status !== 200) throw new Error(text);
    expect(String(body.socketUrl)).toContain(near.url.replace("http", "ws"));
    const socket = await PageSocket.hello(String(body.socketUrl), body.token);
    expect(await socket.next("ready")).toMatchObject({ callRowId: rowId, mode: "LISTEN" });
    return socket;
  }
}

async function eventsOf(rowId: string): Promise<string[]> {
  const rows = await near.database.query(
    "select type from events where subject_id = $1 and type ~ 'supervision|whisper|words|request' order by id",
    [rowId],
  );
  return rows.map(({ type }) => String(type));
}

function follow(url: string, headers: Record<string, string> = {}, query = ""): Promise<EventReader> {
  // Behind one address both nodes call the cookie alike; here each goes by its own port.
  const cookie = `parley_${new URL(url).port}=${owner.cookie?.split("=")[1] ?? ""}`;
  return EventReader.open(`${url}/api/console${path}/events${query}`, { cookie, ...headers });
}

describe.concurrent("through another node", () => {
  test("a call of another node is heard, taken over, handed back, whispered to and ended, each once", async () => {
    const rowId = await place();
    const socket = await listen(rowId);
    // By then the agent has greeted.
    await socket.until(() => socket.frames.length > 150);
    socket.send({ mode: "TAKE_OVER" });
    await socket.next("mode");
    await say(socket, "Everybody");
    // What was said last is still on its way to the person.
    const heard = socket.frames.length;
    await socket.until(() => socket.frames.length > heard + 50);
    socket.send({ mode: "LISTEN" });
    expect((await socket.next("mode", 2)).mode).toBe("LISTEN");
    const once = { "idempotency-key": randomUUID() };
    const whispers = [0, 1].map(() => post(`/call-rows/${rowId}/whisper`, { text: "Be brief." }, once));
    const statuses = (await Promise.all(whispers)).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect((await post(`/call-rows/${rowId}/whisper`, { text: "Be brief." }, once)).body).toEqual({
      callRowId: rowId,
      text: "Be brief.",
    });
    const ended = await owner.ask("POST", `${path}/call-rows/${rowId}/end`);
    expect([ended.status, ended.body]).toEqual([200, { callRowId: rowId, ending: true }]);
    await socket.until(() => socket.closed);
    expect(socket.closed?.code).toBe(1000);
    const row = await near.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null);
    expect(row).toMatchObject({ status: "COMPLETED", endReason: "ENDED_BY_REQUEST" });
    const late = await post(`/call-rows/${rowId}/end`);
    expect([late.status, late.body.message]).toEqual([409, "The call is over."]);
    expect((await eventsOf(rowId)).toSorted()).toEqual([
      "call.end_requested",
      "call.supervision_changed",
      "call.supervision_changed",
      "call.supervision_ended",
      "call.supervision_started",
      "call.whispered",
    ]);
    const headers = { "x-api-key": near.sample.apiKey };
    const recording = await fetch(`${far.url}/api/external/v1/call-rows/${rowId}/recording`, { headers });
    const [agent] = parseWav(new Uint8Array(await recording.arrayBuffer())).channels;
    const sinceGreeting = (agent as Int16Array).subarray(8 * 3_000);
    const level = Math.sqrt(sinceGreeting.reduce((sum, sample) => sum + sample * sample, 0) / sinceGreeting.length);
    expect(level, "the person heard the supervisor").toBeGreaterThan(100);
  }, 90_000);

  test("whoever loses the session, the role, the account or the key hears no more of a call", async () => {
    const rowId = await place();
    const { workspaceId } = near.sample;
    const ends: Record<string, string> = {
      OPERATOR: "delete from user_sessions where user_id = $1",
      BUILDER: "update memberships set role = 'VIEWER' where user_id = $1",
      OWNER: "update users set disabled_at = now() where id = $1",
    };
    const lost = Object.entries(ends).map(async ([role, end]) => {
      const tab = await inviteMember(near, workspaceId, role);
      const { body } = await tab.ask("GET", "/session");
      const socket = await listen(rowId, () => tab.ask("POST", `${path}/call-rows/${rowId}/supervise`));
      await near.database.query(end, [(body.user as { id: string }).id]);
      return socket.until(() => socket.closed);
    });
    const key = await near.operator("key.create", { workspaceId });
    const ask = () => near.request("POST", `/call-rows/${rowId}/supervise`, { body: {}, key: String(key.apiKey) });
    const withKey = await listen(rowId, ask);
    const stays = await listen(rowId);
    await near.operator("key.revoke", { id: String(key.keyId) });
    const why = { code: 4403, reason: "You may no longer supervise this call." };
    expect(await withKey.until(() => withKey.closed)).toEqual(why);
    expect(await Promise.all(lost)).toEqual([why, why, why]);
    expect(stays.closed).toBeNull();
    stays.close();
    expect((await post(`/call-rows/${rowId}/end`)).status).toBe(200);
  }, 90_000);
});

test("words typed on one node are said on another, and are seen in the room as lines and as sound", async () => {
  using room = await follow(near.url, {}, "?room=true");
  const rowId = await place();
  const shows = (words: string) =>
    room.until(({ type, data }) => {
      if (type !== "room.tiles") return false;
      const call = (data.calls as Json[]).find((one) => one.rowId === rowId);
      return JSON.stringify(call?.tile ?? null).includes(words);
    });
  await shows("Hello from Acme.");
  const said = await post(`/call-rows/${rowId}/say`, { text: "We open at nine." });
  expect([said.status, said.body]).toEqual([200, { callRowId: rowId, text: "We open at nine." }]);
  await shows("We open at nine.");
  await room.until(({ type, data }) => {
    const levels = type === "room.levels" ? (data.levels as Record<string, string>)[rowId] : undefined;
    return /\..*[1-9a-f]/.test(levels ?? "");
  });
  await post(`/call-rows/${rowId}/end`);
  const { transcript } = await near.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null);
  expect((transcript as Json[]).filter(({ supervisor }) => supervisor === "TYPED")).toMatchObject([
    { content: "We open at nine." },
  ]);
  expect(await eventsOf(rowId)).toEqual(["call.words_said", "call.end_requested"]);
}, 90_000);

test("typed words are cut where the person talks over them, and the transcript has what was heard", async () => {
  const { apiKey: key } = await near.createWorkspace({ speed: 5 });
  const placed = await near.request("POST", "/outbound/calls", {
    body: { customerNumber: INTERRUPTS, flow: LONG_CONVERSATION },
    key,
  });
  const rowId = String(placed.body.rowId);
  const words = "We open at nine on weekdays, at ten on Saturdays, and never before noon on a Sunday.";
  const typed = async () => {
    const { body } = await near.request("GET", `/call-rows/${rowId}`, { key });
    return (body.transcript as Json[]).filter(({ supervisor }) => supervisor === "TYPED");
  };
  // This person talks over every second turn.
  const isCut = async () => {
    await near.request("POST", `/call-rows/${rowId}/say`, { body: { text: words }, key });
    return (await typed()).some(({ interrupted }) => interrupted);
  };
  await expect.poll(isCut, { interval: 500, timeout: 60_000 }).toBe(true);
  const heard = String((await typed()).find(({ interrupted }) => interrupted)?.content);
  expect([heard.length > 0, words.startsWith(heard), heard === words]).toEqual([true, true, false]);
  expect((await near.request("POST", `/call-rows/${rowId}/end`, { body: {}, key })).status).toBe(200);
}, 90_000);

test("what a node that hangs has not taken is withdrawn, and never done", async () => {
  // In text: a carrier hangs up on audio that stands still.
  const { apiKey: key } = await near.createWorkspace({ speed: 2 });
  const rowId = await place(key);
  far.kill("SIGSTOP");
  const hung = await near.request("POST", `/call-rows/${rowId}/end`, { body: {}, key });
  expect([hung.status, hung.body.message]).toEqual([
    409,
    "The server that holds the call did not answer in time. Nothing was done: ask again.",
  ]);
  far.kill("SIGCONT");
  // This comes the same way after it, and the call still goes on.
  const body = { text: "Go on." };
  const whispered = await near.request("POST", `/call-rows/${rowId}/whisper`, { body, key });
  expect(whispered.status, whispered.text).toBe(200);
  const ended = await near.request("POST", `/call-rows/${rowId}/end`, { body: {}, key });
  expect(ended.status, ended.text).toBe(200);
}, 90_000);

test("a node's death is told to supervisors, and a page goes on elsewhere from where it was", async () => {
  const stream = await follow(far.url);
  const { id } = await stream.until(({ type }) => type === "hello");
  const rowId = await place();
  const elsewhere = await follow(near.url);
  const isOfRow = (data: unknown) => JSON.stringify(data).includes(rowId);
  await elsewhere.until(({ type, data }) => type === "calls.live" && isOfRow(data));
  elsewhere.close();
  const socket = await listen(rowId);
  far.kill();
  expect(await socket.until(() => socket.closed)).toEqual({
    code: 1011,
    reason: "The connection to the server that holds the call was lost.",
  });
  await stream.end();
  const resumed = await follow(near.url, { "last-event-id": id });
  await resumed.until(({ type, data }) => type === "calls.changed" && isOfRow(data));
  await resumed.until(({ type, data }) => type === "calls.live" && isOfRow(data));
  resumed.close();
  const asked = post(`/call-rows/${rowId}/end`);
  const isAccepted = "select 1 from call_commands where row_id = $1 and kind = 'END' and state = 'ACCEPTED'";
  while ((await near.database.query(isAccepted, [rowId])).length === 0);
  // As time would do: its heartbeat has stopped.
  await near.database.query("update nodes set alive_until = '-infinity' where address = $1", [far.url]);
  const lost = "The server that held the call stopped, and the call with it. Read its row for what came of it.";
  expect((await asked).body).toMatchObject({ code: "CONFLICT", message: lost });
  const gone = await post(`/call-rows/${rowId}/end`);
  expect([gone.status, gone.body.message]).toEqual([409, expect.stringContaining("is being found out")]);
}, 90_000);
