import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { openCallRecorder } from "#src/audio/worker/call-recorder.ts";
import { RecordingKeeper } from "#src/interactions/recordings/keeper.ts";
import { createRecordingFiles, type RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import { beginRecording, finishRecording } from "#src/interactions/recordings/recordings.ts";
import { readConfig } from "#src/platform/config/config.ts";
import { openKeyRing } from "#src/platform/config/secret.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

const log = createLog("silent");
const HEADER_BYTES = 58;
const FRAME = 160;
let world: World;
let stranger: Sample;
let database: Database;
/** Files of the same installation with sealing off and on. */
let plain: RecordingFiles;
let sealed: RecordingFiles;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
  database = openDatabase({ connectionString: world.database.url }, { max: 2 }, () => undefined);
  const config = (env: Record<string, string>) => readConfig({ DATA_DIR: world.dataDir, ...env });
  const filesOf = (env: Record<string, string>) =>
    createRecordingFiles(config(env), new RecordingKeys(openKeyRing(config(env)).keys), log, randomUUID());
  plain = filesOf({});
  sealed = filesOf({ SEAL_RECORDINGS: "1" });
});
afterAll(async () => {
  await database.close();
  await world[Symbol.asyncDispose]();
});

interface Call {
  rowId: string;
  attemptId: string;
}

/** Places a call that ends; its row is then given a recording of real audio. */
async function placeCall(number = "+12025550100"): Promise<Call> {
  const { id } = await world.call(number);
  const [row] = await world.database.query<{ id: string }>("select id from call_attempts where row_id = $1", [id]);
  return { rowId: String(id), attemptId: String(row?.id) };
}

/** Begins the recording of a call, with a text on each side; `seconds` long in all. */
async function startRecording(files: RecordingFiles, call: Call, said: string, heard: string, seconds = 6) {
  const place = await beginRecording(database.db, files, world.sample.workspaceId, call);
  const recorder = openCallRecorder(place);
  const left = encodeToneSpeech(said);
  const right = encodeToneSpeech(heard);
  const frames = [new Int16Array(FRAME), new Int16Array(FRAME)] as const;
  for (let at = 0; at < seconds * 8_000; at += FRAME) {
    frames[0].fill(0).set(right.subarray(at, at + FRAME));
    frames[1].fill(0).set(left.subarray(at, at + FRAME));
    recorder.write(frames[0], frames[1]);
  }
  return { ...place, recorder };
}

async function record(files: RecordingFiles, said = "Good morning.", heard = "Hello, who is it?") {
  const call = await placeCall();
  const { path, recorder } = await startRecording(files, call, said, heard);
  const summary = await recorder.close();
  await finishRecording(database.db, world.sample.workspaceId, call.attemptId, summary);
  return { ...call, path, summary };
}

interface AudioReply {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

async function fetchAudio(rowId: string, headers: Record<string, string> = {}, method = "GET"): Promise<AudioReply> {
  const reply = await fetch(`${world.url}/api/external/v1/call-rows/${rowId}/recording`, {
    method,
    headers: { "x-api-key": world.sample.apiKey, ...headers },
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** Returns the utterances in each channel of a two-channel mu-law file. */
function hear(file: Buffer): string[][] {
  expect(file.subarray(0, 4).toString()).toBe("RIFF");
  expect(file.readUInt32LE(HEADER_BYTES - 4)).toBe(file.length - HEADER_BYTES);
  const data = file.subarray(HEADER_BYTES);
  return [0, 1].map((channel) => decodeToneSpeech(decodeMuLaw(data.filter((_, i) => i % 2 === channel))));
}

const readRow = async (rowId: string) => (await world.request("GET", `/call-rows/${rowId}`)).body;
const readPeaks = (rowId: string, key = world.sample.apiKey) =>
  world.request("GET", `/call-rows/${rowId}/recording/peaks`, { key });

function channelsOf(reply: TestReply): { name: string; peaks: number[] }[] {
  expect(reply.status, reply.text).toBe(200);
  return reply.body.channels as { name: string; peaks: number[] }[];
}

/** Backdates an attempt's end and its recording, so that the test need not wait for that time. */
async function age({ attemptId }: Call, interval = "2 minutes"): Promise<void> {
  await world.database.query(`update call_attempts set ended_at = now() - $2::interval where id = $1`, [
    attemptId,
    interval,
  ]);
  await world.database.query(`update call_recordings set started_at = now() - $2::interval where attempt_id = $1`, [
    attemptId,
    interval,
  ]);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Waits for the result of a server task. */
async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const stateOf = async ({ attemptId }: Call): Promise<string> =>
  String(
    (
      await world.database.query<{ state: string }>("select state from call_recordings where attempt_id = $1", [
        attemptId,
      ])
    )[0]?.state,
  );

describe("the recording of a call in real audio", () => {
  test.each(["plain", "sealed"])("is served as it was recorded, whole and in parts (%s)", async (name) => {
    const files = name === "plain" ? plain : sealed;
    const { rowId, path, summary } = await record(files);
    const onDisk = await readFile(path);
    expect(onDisk.subarray(0, 4).toString() === "RIFF").toBe(name === "plain");
    const whole = await fetchAudio(rowId);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    expect(whole.headers.get("content-length")).toBe(String(summary.byteLength));
    expect(whole.bytes).toHaveLength(HEADER_BYTES + 6 * 16_000);
    expect(hear(whole.bytes)).toEqual([["Good morning."], ["Hello, who is it?"]]);
    expect(whole.bytes.equals(onDisk)).toBe(name === "plain");

    const length = whole.bytes.length;
    const parts: [string, number, number][] = [
      ["bytes=0-0", 0, 1],
      ["bytes=0-57", 0, 58],
      ["bytes=50-66000", 50, 66_001],
      ["bytes=65594-65594", 65_594, 65_595],
      [`bytes=${length - 1}-`, length - 1, length],
      ["bytes=70000-99999999", 70_000, length],
      ["bytes=-100", length - 100, length],
      ["bytes=-99999999", 0, length],
    ];
    for (const [range, start, end] of parts) {
      const part = await fetchAudio(rowId, { range });
      expect([range, part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
        range,
        206,
        `bytes ${start}-${end - 1}/${length}`,
        String(end - start),
      ]);
      expect(part.bytes.equals(whole.bytes.subarray(start, end)), range).toBe(true);
    }
    for (const range of [`bytes=${length}-`, "bytes=-0", `bytes=${length}-${length + 5}`]) {
      const refused = await fetchAudio(rowId, { range });
      expect([refused.status, refused.headers.get("content-range")]).toEqual([416, `bytes */${length}`]);
      expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: "RANGE_NOT_SATISFIABLE" });
    }
    for (const range of ["bytes=5-2", "bytes=0-1,5-6", "frames=0-1"]) {
      expect((await fetchAudio(rowId, { range })).status, range).toBe(200);
    }
  });

  test("goes on from where a download broke off, only while it is the same", async () => {
    const { rowId } = await record(plain);
    const etag = (await fetchAudio(rowId)).headers.get("etag") as string;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await fetchAudio(rowId, { range: "bytes=100-", "if-range": etag })).status).toBe(206);
    for (const other of ['"another"', `W/${etag}`, "Wed, 21 Oct 2026 07:28:00 GMT"]) {
      expect((await fetchAudio(rowId, { range: "bytes=100-", "if-range": other })).status, other).toBe(200);
    }
  });

  test("tells HEAD its length, whatever Range says", async () => {
    const { rowId, summary } = await record(sealed);
    for (const headers of [{}, { range: "bytes=0-9" }]) {
      const reply = await fetchAudio(rowId, headers, "HEAD");
      expect([reply.status, reply.headers.get("content-length"), reply.bytes.length]).toEqual([
        200,
        String(summary.byteLength),
        0,
      ]);
    }
  });

  test("is in the row with its own length, and has peaks of both sides", async () => {
    const { rowId, summary } = await record(plain, "Good morning.", "");
    expect(await readRow(rowId)).toMatchObject({
      recording: {
        url: `${world.url}/api/external/v1/call-rows/${rowId}/recording`,
        format: "audio/wav",
        channels: 2,
        durationSeconds: 6,
      },
    });
    const reply = await readPeaks(rowId);
    const [agent, customer] = channelsOf(reply);
    expect(reply.body).toMatchObject({ intervalMs: 100, durationMs: 6_000 });
    expect([agent?.name, customer?.name]).toEqual(["AGENT", "CUSTOMER"]);
    expect(agent?.peaks).toEqual([...summary.peaks[0]]);
    expect(Math.max(...(agent?.peaks ?? []))).toBeGreaterThan(20);
    expect(customer?.peaks).toEqual(Array.from({ length: 60 }, () => 0));
  });

  test("is that of the newest attempt", async () => {
    const call = await record(plain, "First.", "");
    const second = { rowId: call.rowId, attemptId: randomUUID() };
    const { recorder } = await startRecording(sealed, second, "Second.", "");
    await finishRecording(database.db, world.sample.workspaceId, second.attemptId, await recorder.close());
    expect(hear((await fetchAudio(call.rowId)).bytes)).toEqual([["Second."], []]);
  });

  test("reads to another workspace exactly as one that never existed", async () => {
    const { rowId } = await record(plain);
    for (const end of ["recording", "recording/peaks"]) {
      const [foreign, none] = await Promise.all(
        [rowId, randomUUID()].map((id) =>
          world.request("GET", `/call-rows/${id}/${end}`, { key: stranger.apiKey, headers: { range: "bytes=0-1" } }),
        ),
      );
      expect([foreign?.status, foreign?.text]).toEqual([404, none?.text]);
    }
  });

  test("is 404 when its file is gone or was spoilt, and is not spoken from the transcript instead", async () => {
    const gone = await record(plain);
    await rm(gone.path);
    const spoilt = await record(sealed);
    const bytes = await readFile(spoilt.path);
    bytes[60] = (bytes[60] as number) ^ 1;
    await writeFile(spoilt.path, bytes);
    for (const { rowId } of [gone, spoilt]) {
      expect((await fetchAudio(rowId)).status).toBe(404);
      expect((await readPeaks(rowId)).status).toBe(404);
    }
  });

  test("that a full disk broke off says so, and gives what was written", async () => {
    const call = await placeCall();
    const { recorder } = await startRecording(plain, call, "Good morning.", "");
    const summary = { ...(await recorder.close()), failure: new Error("ENOSPC: no space left on device, write") };
    await finishRecording(database.db, world.sample.workspaceId, call.attemptId, summary);
    expect(await stateOf(call)).toBe("FAILED");
    expect(hear((await fetchAudio(call.rowId)).bytes)[0]).toEqual(["Good morning."]);
    expect((await readRow(call.rowId)).recording).toMatchObject({ durationSeconds: 6 });
  });
});

describe("a recording in progress", () => {
  test.each(["plain", "sealed"])("is given up to where it is written, also after a crash (%s)", async (name) => {
    const call = await placeCall();
    const files = name === "plain" ? plain : sealed;
    // Chunks of 64 KiB, a little over four seconds, have been written when the call is one to three seconds past them.
    const { recorder } = await startRecording(files, call, "Good morning.", "Hello.", 8);
    await until(async () => (await fetchAudio(call.rowId)).bytes.length > HEADER_BYTES);
    const partial = await fetchAudio(call.rowId);
    expect([partial.status, partial.headers.get("etag")]).toEqual([200, null]);
    expect(partial.bytes).toHaveLength(HEADER_BYTES + 65_536);
    expect(hear(partial.bytes)).toEqual([["Good morning."], ["Hello."]]);
    const peaks = await readPeaks(call.rowId);
    expect(peaks.body.durationMs).toBe(4_096);
    expect(channelsOf(peaks)[0]?.peaks).toHaveLength(41);
    expect((await readRow(call.rowId)).recording).toBeNull();

    // The process is gone: nobody closes the recorder, and another process's housekeeping ends the recording.
    const keeper = new RecordingKeeper(database, plain, 0);
    await keeper.tidy();
    expect(await stateOf(call)).toBe("RECORDING");
    await age(call);
    await keeper.tidy();
    expect(await stateOf(call)).toBe("FAILED");
    expect(hear((await fetchAudio(call.rowId)).bytes)).toEqual([["Good morning."], ["Hello."]]);
    expect((await readPeaks(call.rowId)).body).toEqual(peaks.body);
    expect((await readRow(call.rowId)).recording).toMatchObject({ durationSeconds: 4.096 });
    await recorder.close();
  });

  test("of which nothing is written yet is 404, and so it stays when nothing ever is", async () => {
    const call = await placeCall();
    await beginRecording(database.db, plain, world.sample.workspaceId, call);
    expect((await fetchAudio(call.rowId)).status).toBe(404);
    await age(call);
    await new RecordingKeeper(database, plain, 0).tidy();
    expect([await stateOf(call), (await fetchAudio(call.rowId)).status]).toEqual(["FAILED", 404]);
    expect((await readRow(call.rowId)).recording).toBeNull();
  });

  test("that is begun again by another process begins anew", async () => {
    const call = await placeCall();
    const { path, recorder } = await startRecording(plain, call, "Lost.", "");
    await until(() => exists(path));
    const { recorder: second } = await startRecording(sealed, call, "Kept.", "");
    await recorder.close();
    await finishRecording(database.db, world.sample.workspaceId, call.attemptId, await second.close());
    expect(hear((await fetchAudio(call.rowId)).bytes)).toEqual([["Kept."], []]);
  });
});

describe("a call in text", () => {
  test("has peaks as well, measured from what is spoken", async () => {
    const { rowId } = await placeCall();
    const row = await readRow(rowId);
    const reply = await readPeaks(rowId);
    const [agent, customer] = channelsOf(reply);
    const durationMs = Number(reply.body.durationMs);
    expect(durationMs).toBeGreaterThanOrEqual(Math.floor(Number(row.durationSeconds) * 1_000));
    expect(agent?.peaks).toHaveLength(Math.ceil(durationMs / 100));
    for (const channel of [agent, customer]) expect(Math.max(...(channel?.peaks ?? []))).toBeGreaterThan(20);
    const [first] = row.transcript as { startMs: number }[];
    expect(agent?.peaks.findIndex((peak) => peak > 0)).toBe(Math.floor(Number(first?.startMs) / 100));
  });
});

describe("erasing", () => {
  test("a contact deletes the files of their calls, finished or not, and of nobody else's", async () => {
    const phone = "+442079460157";
    const other = await record(plain);
    const whole = await placeCall(phone);
    const { path, recorder } = await startRecording(sealed, whole, "Good morning.", "Hello.");
    const summary = await recorder.close();
    await finishRecording(database.db, world.sample.workspaceId, whole.attemptId, summary);
    const cut = await placeCall(phone);
    const { path: cutPath, recorder: late } = await startRecording(plain, cut, "Good morning.", "Hello.");
    const { body } = await world.request("GET", `/contacts?${new URLSearchParams({ phone }).toString()}`);
    const [contact] = body.content as { id: string }[];
    expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
    for (const { rowId } of [whole, cut]) {
      expect((await fetchAudio(rowId)).status).toBe(404);
      expect((await readPeaks(rowId)).status).toBe(404);
      expect((await readRow(rowId)).recording).toBeNull();
    }
    await until(async () => (await stateOf(whole)) === "ERASED" && (await stateOf(cut)) === "ERASED");
    expect([await exists(path), await exists(cutPath), await exists(other.path)]).toEqual([false, false, true]);
    // A late end of the recording does not bring it back.
    await finishRecording(database.db, world.sample.workspaceId, cut.attemptId, await late.close());
    expect([await stateOf(cut), await exists(cutPath)]).toEqual(["ERASED", false]);
    const kept = await world.database.query(
      "select 1 from call_recordings where state = 'ERASED' and (agent_peaks is not null or customer_peaks is not null)",
    );
    expect(kept).toEqual([]);
    expect((await fetchAudio(other.rowId)).status).toBe(200);
  });

  test("what is older than the retention deletes files and leaves no spoken recording in their place", async () => {
    const old = await record(plain);
    const fresh = await record(plain);
    await age(old, "31 days");
    await new RecordingKeeper(database, plain, 30).tidy();
    await until(async () => (await stateOf(old)) === "ERASED");
    expect([await exists(old.path), await exists(fresh.path)]).toEqual([false, true]);
    expect([(await fetchAudio(old.rowId)).status, (await fetchAudio(fresh.rowId)).status]).toEqual([404, 200]);
    const row = await readRow(old.rowId);
    expect([row.recording, (row.transcript as unknown[]).length > 0]).toEqual([null, true]);
    const own = "update workspaces set recording_retention_days = $2 where id = $1";
    await world.database.query(own, [world.sample.workspaceId, 10]);
    await age(fresh, "11 days");
    await new RecordingKeeper(database, plain, 30).tidy();
    await until(async () => (await stateOf(fresh)) === "ERASED");
    await world.database.query(own, [world.sample.workspaceId, null]);
  });

  test("goes on past a file that cannot be deleted, and one that cannot be read", async () => {
    const open = await placeCall();
    const { path } = await beginRecording(database.db, plain, world.sample.workspaceId, open);
    await mkdir(dirname(path), { recursive: true });
    // A link to itself cannot be read, and a folder cannot be deleted as a file, whatever the user's rights.
    await symlink(path, path);
    await age(open);
    const [bad, good] = [await record(plain), await record(plain)];
    await rm(bad.path);
    await mkdir(bad.path);
    for (const call of [bad, good]) await age(call, "31 days");
    await new RecordingKeeper(database, plain, 30).tidy();
    expect(await stateOf(open)).toBe("FAILED");
    await until(async () => (await stateOf(good)) === "ERASED");
    expect([await stateOf(bad), await exists(good.path)]).toEqual(["ERASING", false]);
    await rm(bad.path, { recursive: true });
  });

  test("sweeps files that no row knows once they are a day old, and touches nothing else", async () => {
    const known = await record(plain);
    const month = join(plain.folder, world.sample.workspaceId, "2026-01");
    const unknown = join(plain.folder, randomUUID(), "2026-01");
    const orphan = join(month, `${randomUUID()}.wav`);
    const young = join(month, `${randomUUID()}.wav`);
    const note = join(month, "notes.txt");
    const elsewhere = join(unknown, `${randomUUID()}.wav`);
    for (const folder of [month, unknown]) await mkdir(folder, { recursive: true });
    for (const path of [orphan, young, note, elsewhere]) await writeFile(path, "RIFF");
    const now = new Date();
    const dayAgo = new Date(now.getTime() - 25 * 3_600_000);
    for (const path of [orphan, note, elsewhere, known.path]) await utimes(path, dayAgo, dayAgo);
    expect(await new RecordingKeeper(database, plain, 0).sweep(now)).toBe(1);
    expect((await readdir(month)).toSorted()).toEqual(
      [young, note].map((path) => path.slice(month.length + 1)).toSorted(),
    );
    expect([await exists(elsewhere), await exists(known.path)]).toEqual([true, true]);
  });
});
