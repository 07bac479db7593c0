import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { RecordingMover } from "#src/interactions/recordings/move-recordings.ts";
import { createRecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import type { RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import { type BucketSettings, readRecordingBucket } from "#src/platform/config/bucket-settings.ts";
import { type Bucket, openBucket } from "#src/platform/files/bucket.ts";
import { Installation } from "../kit/backup-harness.ts";
import { BucketServer } from "../kit/bucket-server.ts";
import { createDatabase } from "../kit/database.ts";
import { ProviderServer } from "../kit/provider-server.ts";
import { SecondNode } from "../kit/second-node.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type TestReply, World } from "../kit/world.ts";

/* Calls in real audio whose recordings are moved to a bucket, which fails, while the store verifies each signature. */

const SECRET = "a secret that all nodes share";
const FLOW = { name: "Short", firstMessage: "Hello from Acme.", masterPrompt: "Say hello.", language: "en-US" };
/** A call takes ten seconds, and longer on a busy machine. */
const LONGEST_CALL_MS = 90_000;

let bucket: BucketServer;
let world: World;
beforeAll(async () => {
  bucket = await BucketServer.start();
  const env = { ...bucket.env, SEAL_RECORDINGS: "1", PARLEY_SECRET: SECRET };
  world = await World.start({ env, speed: 1 });
});
beforeEach(() => bucket.begin());
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
/** Returns the name of a row's recording, in the folder and in the bucket. */
async function nameOf(id: string): Promise<string> {
  const found = await world.database.query<{ path: string }>("select path from call_recordings where row_id = $1", [
    id,
  ]);
  return String(found[0]?.path);
}

async function eraseContact(phone: string): Promise<void> {
  const { body } = await world.request("GET", `/contacts?${new URLSearchParams({ phone }).toString()}`);
  const [contact] = body.content as { id: string }[];
  expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
}

const untilPlaced = (id: string, place: string) =>
  world.until(`/call-rows/${id}`, (row) => fileOf(row)?.state === "READY" && fileOf(row)?.place === place, 60_000);

/** Holds a short call in audio; returns the id of its row. */
async function call(customerNumber: string): Promise<string> {
  const row = await world.call(customerNumber, { flow: FLOW }, LONGEST_CALL_MS);
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
  const name = await nameOf(id);
  expect(name).toMatch(new RegExp(`^${world.sample.workspaceId}/\\d{4}-\\d{2}/[\\da-f-]{36}\\.wav$`));
  expect(bucket.read(name).includes("RIFF")).toBe(false);
  await expect.poll(waitingFiles).toEqual([]);
  expect(await warnings()).toEqual([]);
}, 240_000);

test("calls go on while the bucket is down; their recordings are served, wait, and are moved once it is back", async () => {
  bucket.end();
  const id = await call("+12025550101");
  const row = await untilPlaced(id, "SPOOL");
  expect(row.recording).not.toBeNull();
  expect(await listen(id)).toContain("Hello from Acme.");
  await expect.poll(warnings, { timeout: 30_000 }).toMatchObject([{ code: "RECORDINGS_NOT_MOVED" }]);
  await expect.poll(() => metric("parley_recordings_waiting"), { timeout: 30_000 }).toBeGreaterThan(0);
  const { checks } = (await world.operator("doctor", {})) as {
    checks: { name: string; ok: boolean; message: string }[];
  };
  const check = checks.find(({ name }) => name === "recordings");
  expect(check).toMatchObject({ ok: false, message: expect.stringMatching(/does not answer.*[1-9]\d* waiting/) });
  bucket.begin();
  await untilPlaced(id, "BUCKET");
  expect(await listen(id)).toContain("Hello from Acme.");
  await expect.poll(waitingFiles).toEqual([]);
  await expect.poll(warnings, { timeout: 90_000 }).toEqual([]);
}, 240_000);

test("a backup copies recordings out of the bucket, and a restore puts them into the folder", async () => {
  await untilPlaced(await call("+12025550100"), "BUCKET");
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
  expect(restored.length).toBeGreaterThan(0);
  for (const name of restored) {
    expect(readFileSync(join(target.recordings, name)).equals(bucket.read(name)), name).toBe(true);
  }
  const places = await target.database.query("select distinct store, spooled_by from call_recordings");
  expect(places).toEqual([{ store: "FOLDER", spooled_by: null }]);
}, 240_000);

test("erasing a contact deletes the object, and is repeated until the bucket has done so", async () => {
  const phone = "+12025550101";
  const id = await call(phone);
  await untilPlaced(id, "BUCKET");
  const name = await nameOf(id);
  bucket.end();
  await eraseContact(phone);
  expect((await fetchAudio(id)).status).toBe(404);
  const task = () =>
    world.database.query<{ last_error: string | null }>(
      "select last_error from tasks where kind = 'recordings.erase' and status = 'PENDING'",
    );
  await expect.poll(async () => (await task())[0]?.last_error, { timeout: 30_000 }).toContain("does not answer");
  bucket.begin();
  expect(bucket.recordings).toContain(name);
  await world.database.query("update tasks set due_at = now() where kind = 'recordings.erase' and status = 'PENDING'");
  await world.until(`/call-rows/${id}`, (shown) => fileOf(shown)?.state === "ERASED", 60_000);
  expect(bucket.recordings).not.toContain(name);
}, 240_000);

test("a recording that cannot be read holds up no other, and is named", async () => {
  await using second = await SecondNode.join(world);
  const folder = mkdtempSync(join(tmpdir(), "parley-waiting-"));
  const recordings = { folder, seals: false, bucket: readRecordingBucket(bucket.env) };
  const files = createRecordingFiles({ recordings }, {} as RecordingKeys, second.log, randomUUID());
  const mover = new RecordingMover(second.database, { ...files, bucket: files.bucket as Bucket });
  const ids = ["00000000-0000-4000-8000-000000000000", ...Array.from({ length: 40 }, () => randomUUID())];
  const [bad = "", ...good] = ids.map((id) => `${world.sample.workspaceId}/2026-11/${id}.wav`);
  // Nothing reads a folder as a file, whatever the user's rights.
  mkdirSync(join(folder, bad), { recursive: true });
  for (const name of good) writeFileSync(join(folder, name), "audio");
  await world.database.query(
    `insert into call_recordings (workspace_id, attempt_id, row_id, path, sealed, state, store)
     select $1::uuid, id, gen_random_uuid(), $1::uuid || '/2026-11/' || id || '.wav', false, 'READY', 'SPOOL' from unnest($2::uuid[]) id`,
    [world.sample.workspaceId, ids],
  );
  mover.start();
  await expect.poll(() => bucket.recordings, { timeout: 10_000 }).toEqual(expect.arrayContaining(good));
  await expect.poll(() => mover.waiting.count).toBe(1);
  expect(mover.fault).toContain(`${bad} cannot be read.`);
  await mover.stop(5_000);
  await world.database.query("delete from call_recordings where attempt_id = any ($1::uuid[])", [ids]);
  rmSync(folder, { recursive: true });
}, 60_000);

test("a recording erased while it waits never enters the bucket", async () => {
  bucket.end();
  const phone = "+12025550100";
  const id = await call(phone);
  await untilPlaced(id, "SPOOL");
  const name = await nameOf(id);
  expect(waitingFiles()).toContain(name);
  await eraseContact(phone);
  bucket.begin();
  await world.until(`/call-rows/${id}`, (shown) => fileOf(shown)?.state === "ERASED", 120_000);
  expect(bucket.recordings).not.toContain(name);
  expect(waitingFiles()).not.toContain(name);
}, 240_000);

test("kill -9 between the end of a recording and its move loses nothing", async () => {
  const database = await createDatabase();
  bucket.end();
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
    await expect
      .poll(file, { timeout: LONGEST_CALL_MS, interval: 200 })
      .toMatchObject({ state: "READY", place: "SPOOL" });
    const before = Buffer.from(await (await request("GET", `/call-rows/${rowId}/recording`)).arrayBuffer());
    server.kill();
    await server.gone;
    bucket.begin();
    const known = bucket.recordings;
    await server.start();
    await expect
      .poll(file, { timeout: LONGEST_CALL_MS, interval: 200 })
      .toMatchObject({ state: "READY", place: "BUCKET" });
    expect(bucket.recordings).toHaveLength(known.length + 1);
    const after = await request("GET", `/call-rows/${rowId}/recording`);
    expect(Buffer.from(await after.arrayBuffer()).equals(before)).toBe(true);
  } finally {
    await server.stop();
    await database.drop();
  }
}, 240_000);

test("a wrong key is named at once, in the log, by /ready and the doctor, and is shown to nobody", async () => {
  const wrong = "a-key-that-the-store-does-not-know";
  await using other = await World.start({ env: { ...bucket.env, S3_SECRET_ACCESS_KEY: wrong, LOG_LEVEL: "silent" } });
  const ready = await other.until("/ready", ({ warnings: of }) => (of as unknown[]).length > 0);
  expect(ready).toMatchObject({ status: "READY", warnings: [{ code: "RECORDINGS_NOT_MOVED" }] });
  const doctor = JSON.stringify(await other.operator("doctor", {}));
  expect(doctor).toContain("refuses access (403 SignatureDoesNotMatch). Check S3_ACCESS_KEY_ID");
  expect(doctor + JSON.stringify(ready)).not.toContain(wrong);
});

const openWith = (env: Record<string, string>) =>
  openBucket(readRecordingBucket({ ...bucket.env, ...env }) as BucketSettings);

test("a bucket that is not there is a fault, and an object that is not there none", async () => {
  expect(await openWith({}).open("none.wav")).toBeNull();
  const others = openWith({ RECORDINGS_STORE: "s3://others" });
  await expect(others.open("none.wav")).rejects.toThrow("Create the bucket.");
});

test("a store that refuses the time of a request says that it is the clock, and not the key", async () => {
  const text = "<Error><Code>RequestTimeTooSkewed</Code><Message>m</Message></Error>";
  const refusal = { status: 403, text, headers: { "content-type": "application/xml" } };
  await using store = await ProviderServer.start([refusal]);
  await expect(openWith({ S3_ENDPOINT: store.origin }).check("x")).rejects.toThrow(
    "refuses the clock of this machine (403 RequestTimeTooSkewed)",
  );
});
