import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { openRecordingFile } from "#src/audio/recording/recording-reader.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { openFile } from "#src/platform/files/folder.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";
import { openCallRecorder } from "./call-recorder.ts";

const FRAME = 160;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-call-recorder-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Records two texts at the same time, reusing one frame for each, as a media call does. */
async function record(path: string, key: Uint8Array | null, said: string, heard: string) {
  const recorder = openCallRecorder({ path, key });
  const [left, right] = [encodeToneSpeech(said), encodeToneSpeech(heard)];
  const frames = [new Int16Array(FRAME), new Int16Array(FRAME)] as const;
  const count = Math.ceil(Math.max(left.length, right.length) / FRAME) + 50;
  for (let i = 0; i < count; i++) {
    for (const [channel, samples] of [right, left].entries()) {
      const part = samples.subarray(i * FRAME, (i + 1) * FRAME);
      (frames[channel] as Int16Array).fill(0).set(part);
    }
    recorder.write(...frames);
  }
  return { summary: await recorder.close(), ms: count * 20, again: recorder.close() };
}

/** Returns the samples of a file's two channels. */
async function listen(path: string, key: Uint8Array | null): Promise<[Int16Array, Int16Array]> {
  const recording = await openRecordingFile((await openFile(path)) as StoredFile, key ? [key] : []);
  const pieces: Uint8Array[] = [];
  for await (const piece of recording.read({ start: 58, end: recording.byteLength })) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const side = (channel: number) => decodeMuLaw(bytes.filter((_, i) => i % 2 === channel));
  return [side(0), side(1)];
}

describe("the recorder of a call", () => {
  for (const [name, key] of [
    ["plain", null],
    ["sealed", randomBytes(32)],
  ] as const) {
    test(`keeps the agent left and the customer right, to the end of the call (${name})`, async () => {
      const path = join(folder, name, "2026-11", "call.wav");
      const { summary, ms, again } = await record(path, key, "Shall we meet on Tuesday?", "Yes, at noon.");
      expect(summary).toMatchObject({ failure: null, durationMs: ms, lateSamples: 0, lostSamples: 0 });
      expect(await again).toEqual(summary);
      const [left, right] = await listen(path, key);
      expect(left).toHaveLength(ms * 8);
      expect(decodeToneSpeech(left)).toEqual(["Shall we meet on Tuesday?"]);
      expect(decodeToneSpeech(right)).toEqual(["Yes, at noon."]);
      expect(summary.peaks.map((peaks) => peaks.length)).toEqual([Math.ceil(ms / 100), Math.ceil(ms / 100)]);
      const { mode } = await stat(path);
      expect(mode & 0o777).toBe(0o600);
      const isPlain = (await readFile(path)).subarray(0, 4).toString() === "RIFF";
      expect(isPlain).toBe(key === null);
    });
  }

  test("begins anew where a dead process had begun", async () => {
    const path = join(folder, "again.wav");
    await writeFile(path, Buffer.alloc(500_000, 1));
    await record(path, null, "New.", "");
    const [left, right] = await listen(path, null);
    expect(decodeToneSpeech(left)).toEqual(["New."]);
    expect(right).toEqual(decodeMuLaw(encodeMuLaw(new Int16Array(right.length))));
  });

  test("tells of a disk that takes nothing, and never throws into the call", async () => {
    const blocked = join(folder, "file");
    await writeFile(blocked, "");
    const { summary } = await record(join(blocked, "call.wav"), null, "Hello.", "Hello.");
    expect(summary.failure).toMatchObject({ code: "EEXIST" });
    expect(summary).toMatchObject({ durationMs: 0, byteLength: 58 });
  });
});
