import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { Installation } from "../kit/backup-harness.ts";
import { BucketServer } from "../kit/bucket-server.ts";
import { createDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type TestReply, World } from "../kit/world.ts";

/* Calls in real audio whose recordings are moved to a bucket, which fails, while the store verifies each signature. */

const SECRET = "a secret that all nodes share";
const FLOW = { name: "Short", firstMessage: "Hello from Acme.", masterPrompt: "Say hello.", language: "en-US" };

let bucket: BucketServer;
let world: World;
beforeAll(async () => {
  bucket = await BucketServer.start();
  const env = { ...bucket.env, SEAL_RECORDINGS: "1", PARLEY_SECRET: SECRET };
  world = await World.start({ env, speed: 1 });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

interface RecordingFile {
  state: string;
  place: string;
  failure: { code: string } | null;
}

const fileOf = (row: TestReply["body"]) => row.recordingFile as RecordingFile | null;
const waitingFiles = () => globSync("*/*/*.wav", { cwd: join(world.dataDir, "recordings") });
const untilPlaced = (id: string, place: string) =>
  world.until(`/call-rows/${id}`, (row) => fileOf(row)?.state === "READY" && fileOf(row)?.place === place, 60_000);

/** Holds a short call in audio; returns the id of its row. */
async function call(customerNumber: string): Promise<string> {
  const row = await world.call(customerNumber, { flow: FLOW });
  expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
  return String(row.id);
}

async function fetchAudio(id: string, range?: string) {
  const headers = { "x-api-key": world.sample.apiKey, ...(range ? { range } : {}) };
  const reply = await fetch(`${world.url}/api/external/v1/call-rows/${id}/recording`, { headers });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** Fetches a recording whole and in parts, and returns what the agent says in it. */
async function listen(id: string): Promise<string> {
  const whole = await fetchAudio(id);
  expect(whole.status).toBe(200);
  const length = whole.bytes.length;
  for (const [start, end] of [
    [0, 1],
    [50, 66_001],
    [65_500, 65_700],
    [length - 1, length],
  ] as const) {
    const part = await fetchAudio(id, `bytes=${start}-${end - 1}`);
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end - 1}/${length}`]);
    expect(part.bytes.equals(whole.bytes.subarray(start, end))).toBe(true);
  }
  const [agent = new Int16Array()] = parseWav(whole.bytes).channels;
  return decodeToneSpeech(agent).join(" ");
}

const warnings = async (): Promise<unknown> => (await world.request("GET", "/ready", { key: null })).body.warnings;
const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec((await world.request("GET", "/metrics", { key: null })).text)?.[1]);

test("a recording goes to the bucket, encrypted, leaves the folder, and is served with Range", async () => {
  const id = await call("+12025550100");
  await untilPlaced(id, "BUCKET");
  expect(await listen(id)).toContain("Hello from Acme.");
  const [name = ""] = bucket.recordings;
  expect(name).toMatch(new RegExp(`^${world.sample.workspaceId}/\\d{4}-\\d{2}/[\\da-f-]{36}\\.wav$`));
  expect(bucket.read(name).includes("RIFF")).toBe(false);
  await expect.poll(waitingFiles).toEqual([]);
  expect(await warnings()).toEqual([]);
}, 90_000);

test("calls go on while the bucket is down; their recordings are served, wait, and are moved once it is back", async () => {
  await bucket.end();
  const id = await call("+12025550101");
  const row = await untilPlaced(id, "SPOOL");
  expect(row.recording).not.toBeNull();
  expect(await listen(id)).toContain("Hello from Acme.");
  await expect.poll(warnings, { timeout: 30_000 }).toMatchObject([{ code: "RECORDINGS_NOT_MOVED" }]);
  await expect.poll(() => metric("parley_recordings_waiting"), { timeout: 30_000 }).toBe(1);
  const { checks } = (await world.operator("doctor", {})) as {
    checks: { name: string; ok: boolean; message: string }[];
  };
  const check = checks.find(({ name }) => name === "recordings");
  expect(check).toMatchObject({ ok: false, message: expect.stringMatching(/ECONNREFUSED.*1 waiting/) });
  await bucket.begin();
  await untilPlaced(id, "BUCKET");
  expect(await listen(id)).toContain("Hello from Acme.");
  await expect.poll(waitingFiles).toEqual([]);
  await expect.poll(warnings, { timeout: 90_000 }).toEqual([]);
}, 240_000);

test("a backup copies recordings out of the bucket, and a restore puts them into the folder", async () => {
  const env = { ...bucket.env, SEAL_RECORDINGS: "1", PARLEY_SECRET: SECRET };
  await using source = new Installation(await createDatabase(), { ...env, DATABASE_URL: world.database.url });
  const folder = join(source.system.folder, "backup");
  const made = await source.backup("create", folder);
  expect([made.code, made.err]).toMatchObject([0, expect.not.stringContaining("error")]);
  expect((await source.backup("verify", folder)).code).toBe(0);
  await using target = new Installation(await createDatabase("template0"), env);
  expect((await target.backup("restore", folder)).code).toBe(0);
  const restored = globSync("*/*/*.wav", { cwd: target.recordings }).toSorted();
  expect(restored).toEqual(bucket.recordings.toSorted());
  expect(restored.length).toBeGreaterThan(1);
  for (const name of restored) {
    expect(readFileSync(join(target.recordings, name)).equals(bucket.read(name)), name).toBe(true);
  }
  const places = await target.database.query("select distinct store, spooled_by from call_recordings");
  expect(places).toEqual([{ store: "FOLDER", spooled_by: null }]);
});

test("erasing a contact deletes the object, and is repeated until the bucket has done so", async () => {
  const phone = "+12025550101";
  const before = bucket.recordings;
  const { body } = await world.request("GET", `/contacts?${new URLSearchParams({ phone }).toString()}`);
  const [contact] = body.content as { id: string }[];
  const [row] = await world.database.query<{ row_id: string; path: string }>(
    `select c.row_id, c.path from call_recordings c join call_rows r on r.id = c.row_id where r.customer_number = $1`,
    [phone],
  );
  const { row_id: id = "", path = "" } = row ?? {};
  expect(before).toContain(path);
  await bucket.end();
  expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
  expect((await fetchAudio(id)).status).toBe(404);
  const task = () =>
    world.database.query<{ last_error: string | null }>(
      "select last_error from tasks where kind = 'recordings.erase' and status = 'PENDING'",
    );
  await expect.poll(async () => (await task())[0]?.last_error, { timeout: 30_000 }).toContain("ECONNREFUSED");
  await bucket.begin();
  expect(bucket.recordings).toContain(path);
  await world.database.query("update tasks set due_at = now() where kind = 'recordings.erase' and status = 'PENDING'");
  await world.until(`/call-rows/${id}`, (shown) => fileOf(shown)?.state === "ERASED", 60_000);
  expect(bucket.recordings).toEqual(before.filter((name) => name !== path));
}, 120_000);

test("a recording erased while it waits never enters the bucket", async () => {
  await bucket.end();
  const phone = "+12025550102";
  const id = await call(phone);
  await untilPlaced(id, "SPOOL");
  const [file = ""] = waitingFiles();
  const { body } = await world.request("GET", `/contacts?${new URLSearchParams({ phone }).toString()}`);
  const [contact] = body.content as { id: string }[];
  expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
  await bucket.begin();
  await world.until(`/call-rows/${id}`, (shown) => fileOf(shown)?.state === "ERASED", 120_000);
  expect(bucket.recordings).not.toContain(file);
  expect(existsSync(join(world.dataDir, "recordings", file))).toBe(false);
}, 180_000);

test("kill -9 between the end of a recording and its move loses nothing", async () => {
  const database = await createDatabase();
  await bucket.end();
  const server = await ServerProcess.create({ ...bucket.env, DATABASE_URL: database.url });
  try {
    await server.start();
    const sample = (await server.operator("workspace.create", { name: "Test", sample: true, sandboxSpeed: 1 })) as {
      apiKey: string;
    };
    const request = async (method: string, path: string, body?: object) => {
      const headers = { "x-api-key": sample.apiKey, "content-type": "application/json" };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return fetch(`${server.url}/api/external/v1${path}`, init);
    };
    const placed = await request("POST", "/outbound/calls", { customerNumber: "+12025550100", flow: FLOW });
    const { rowId } = (await placed.json()) as { rowId: string };
    const file = async () =>
      fileOf((await (await request("GET", `/call-rows/${rowId}`)).json()) as TestReply["body"]) ?? undefined;
    await expect.poll(file, { timeout: 60_000, interval: 200 }).toMatchObject({ state: "READY", place: "SPOOL" });
    const before = Buffer.from(await (await request("GET", `/call-rows/${rowId}/recording`)).arrayBuffer());
    server.kill();
    await server.gone;
    await bucket.begin();
    const known = bucket.recordings;
    await server.start();
    await expect.poll(file, { timeout: 60_000, interval: 200 }).toMatchObject({ state: "READY", place: "BUCKET" });
    expect(bucket.recordings).toHaveLength(known.length + 1);
    const after = await request("GET", `/call-rows/${rowId}/recording`);
    expect(Buffer.from(await after.arrayBuffer()).equals(before)).toBe(true);
  } finally {
    await server.stop();
    await database.drop();
  }
}, 180_000);

test("a wrong key is named at once, in the log, by /ready and the doctor, and is shown to nobody", async () => {
  const wrong = "a-key-that-the-store-does-not-know";
  await using other = await World.start({ env: { ...bucket.env, S3_SECRET_ACCESS_KEY: wrong, LOG_LEVEL: "silent" } });
  const ready = await other.until("/ready", ({ warnings: of }) => (of as unknown[]).length > 0);
  expect(ready).toMatchObject({ status: "READY", warnings: [{ code: "RECORDINGS_NOT_MOVED" }] });
  const doctor = JSON.stringify(await other.operator("doctor", {}));
  expect(doctor).toContain("refuses access (403 SignatureDoesNotMatch). Check S3_ACCESS_KEY_ID");
  expect(doctor + JSON.stringify(ready)).not.toContain(wrong);
});
