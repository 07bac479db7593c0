import { randomBytes } from "node:crypto";
import { mkdtemp, open, readFile, rm, stat, truncate, writeFile, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { countWavHeader, parseWav, readWavHeader, wavHeader, type WavEncoding } from "#src/audio/codec/wav.ts";
import { openFile } from "#src/platform/files/folder.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";
import { openRecordingFile } from "./recording-reader.ts";
import { createPlainSink, type RecordingSink } from "./recording-sink.ts";
import { RecordingWriter, type RecordingChannel } from "./recording-writer.ts";
import { createSealedStore } from "./sealed-recording.ts";

let folder = "";
let files = 0;
const handles: FileHandle[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-recording-test-"));
});
afterAll(async () => {
  for (const handle of handles) await handle.close();
  await rm(folder, { recursive: true, force: true });
});

const KEY = randomBytes(32);

async function createFile(encoding: WavEncoding, key: Uint8Array | null) {
  const path = join(folder, `${files++}.wav`);
  const handle = await open(path, "wx+");
  handles.push(handle);
  const headerBytes = countWavHeader(encoding);
  const store = key ? await createSealedStore(handle, headerBytes, key) : createPlainSink(handle, headerBytes);
  return { path, store: watch(store) };
}

/** Returns a sample that encodes its channel and position. */
function sampleAt(channel: number, position: number): number {
  return (((position * (channel === 0 ? 37 : 101)) & 0xffff) << 16) >> 16;
}

function frameAt(channel: number, position: number, count = 160): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => sampleAt(channel, position + i));
}

function writeSeconds(writer: RecordingWriter, from: number, to: number): void {
  for (let position = from * 8_000; position < to * 8_000; position += 160) {
    for (const channel of [0, 1] as const) writer.write(channel, position, frameAt(channel, position), 160);
  }
}

async function openRecording(path: string, key: Uint8Array | null) {
  return openRecordingFile((await openFile(path)) as StoredFile, key ? [key] : []);
}

async function readAll(path: string, key: Uint8Array | null, range?: { start: number; end: number }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await openRecording(path, key)).read(range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

let inFlight = 0;

/** Wraps a store so that its running operations are counted. */
function watch(store: RecordingSink): RecordingSink {
  const count = async (operation: Promise<void>) => {
    inFlight++;
    await operation.finally(() => inFlight--);
  };
  return {
    writeHeader: (header) => count(store.writeHeader(header)),
    writeChunk: (index, bytes) => count(store.writeChunk(index, bytes)),
    sync: () => count(store.sync()),
  };
}

/** Waits until watched stores have written everything: several turns in a row without an operation. */
async function settle(): Promise<void> {
  for (let idle = 0; idle < 20; idle = inFlight === 0 ? idle + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a recording", () => {
  test("has 16-bit samples of both channels at their places, in a file that is read as WAV", async () => {
    const { path, store } = await createFile("PCM16", null);
    const writer = new RecordingWriter(store, "PCM16");
    writeSeconds(writer, 0, 5);
    const summary = await writer.close();
    expect(summary).toMatchObject({ durationMs: 5_000, byteLength: 44 + 160_000, failure: null, lostSamples: 0 });
    const wav = parseWav(await readFile(path));
    expect(wav.sampleRateHz).toBe(8_000);
    for (const [channel, samples] of wav.channels.entries()) expect(samples).toEqual(frameAt(channel, 0, 40_000));
    expect(wav.channels).toHaveLength(2);
  });

  test("has mu-law at half the size when asked, with the header that the format wants", async () => {
    const { path, store } = await createFile("MU_LAW", null);
    const writer = new RecordingWriter(store, "MU_LAW");
    writeSeconds(writer, 0, 5);
    await writer.close();
    const bytes = await readFile(path);
    expect(bytes.subarray(0, 58).toString("hex")).toBe(
      "52494646" +
        "b2380100" +
        "57415645" +
        "666d7420" +
        "12000000" +
        "0700" +
        "0200" +
        "401f0000" +
        "803e0000" +
        "0200" +
        "0800" +
        "0000" +
        "66616374" +
        "04000000" +
        "409c0000" +
        "64617461" +
        "80380100",
    );
    const right = encodeMuLaw(frameAt(1, 0, 40_000));
    expect(bytes.subarray(58).filter((_, i) => i % 2 === 1)).toEqual(Buffer.from(right));
  });

  test("is the same in whatever order and size frames come within a second, with silence between them", async () => {
    const frame = fc.record({
      channel: fc.constantFrom<RecordingChannel>(0, 1),
      place: fc.nat(60_000),
      count: fc.integer({ min: 1, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame, { maxLength: 12 }),
        fc.constantFrom<WavEncoding>("PCM16", "MU_LAW"),
        async (frames, encoding) => {
          const { path, store } = await createFile(encoding, null);
          const writer = new RecordingWriter(store, encoding);
          const expected = [new Int16Array(70_000), new Int16Array(70_000)] as const;
          let end = 0;
          for (const { channel, place, count } of frames.toSorted(
            (a, b) => Math.floor(a.place / 4_000) - Math.floor(b.place / 4_000),
          )) {
            const samples = frameAt(channel, place, count);
            writer.write(channel, place, samples, count);
            expected[channel].set(samples, place);
            end = Math.max(end, place + count);
          }
          const summary = await writer.close();
          expect(summary).toMatchObject({ durationMs: end / 8, lateSamples: 0, lostSamples: 0 });
          const bytes = await readFile(path);
          const channels = encoding === "PCM16" ? parseWav(bytes).channels : splitMuLaw(bytes);
          for (const channel of [0, 1] as const) {
            const wanted = expected[channel].subarray(0, end);
            expect(channels[channel]).toEqual(encoding === "PCM16" ? wanted : decodeMuLaw(encodeMuLaw(wanted)));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("fills minutes without a frame with silence, loses nothing after them, and ends when the call does", async () => {
    const { path, store } = await createFile("MU_LAW", null);
    const writer = new RecordingWriter(store, "MU_LAW");
    writeSeconds(writer, 0, 1);
    writeSeconds(writer, 120, 121);
    expect(await writer.close(130 * 8_000)).toMatchObject({ durationMs: 130_000, lostSamples: 0, lateSamples: 0 });
    const [left] = splitMuLaw(await readFile(path));
    expect(left).toHaveLength(130 * 8_000);
    expect(left.subarray(8_000, 960_000).every((sample) => sample === 0)).toBe(true);
    expect(left.subarray(960_000, 968_000)).toEqual(decodeMuLaw(encodeMuLaw(frameAt(0, 960_000, 8_000))));
  });

  test("leaves out what comes a chunk too late or at no place, and counts it", async () => {
    const { store } = await createFile("PCM16", null);
    const writer = new RecordingWriter(store, "PCM16");
    writeSeconds(writer, 0, 10);
    writer.write(0, 160, frameAt(0, 160), 160);
    for (const position of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40])
      writer.write(0, position, frameAt(0, 0), 160);
    writer.write(0, 0, new Int16Array(10), 160);
    const summary = await writer.close();
    expect(summary).toMatchObject({ durationMs: 10_000, lateSamples: 160, lostSamples: 5 * 160 });
    writer.write(0, 80_000, frameAt(0, 0), 160);
    expect(await writer.close()).toBe(summary);
  });

  test("has the loudest sample of every tenth of a second", async () => {
    const { store } = await createFile("MU_LAW", null);
    const writer = new RecordingWriter(store, "MU_LAW");
    const samples = new Int16Array(8_000);
    samples[0] = 128;
    samples[799] = -12_800;
    samples[800] = -32_768;
    samples[4_000] = 32_767;
    for (let at = 0; at < 8_000; at += 160) writer.write(1, at, samples.subarray(at, at + 160), 160);
    const { peaks } = await writer.close();
    expect([...peaks[1]]).toEqual([99, 255, 0, 0, 0, 255, 0, 0, 0, 0]);
    expect([...peaks[0]]).toEqual(Array(10).fill(0));
  });
});

describe("a recording that a crash cuts off", () => {
  test.each([
    ["plain", null],
    ["sealed", KEY],
  ])("plays up to the last chunk at every moment (%s)", async (_title, key) => {
    const { path, store } = await createFile("MU_LAW", key);
    const writer = new RecordingWriter(store, "MU_LAW");
    for (let second = 0; second < 20; second++) {
      writeSeconds(writer, second, second + 1);
      await settle();
      // A copy of the file as a killed process leaves it; the writer goes on with its own.
      const copy = join(folder, "copy.wav");
      await writeFile(copy, await readFile(path));
      const bytes = await readAll(copy, key);
      const shape = readWavHeader(bytes);
      expect(bytes).toHaveLength(58 + (shape?.dataBytes ?? -1));
      const recordedSeconds = (shape?.dataBytes ?? 0) / 16_000;
      expect(recordedSeconds).toBeGreaterThan(second + 1 - 5.2);
      const [left] = splitMuLaw(bytes);
      expect(left).toEqual(decodeMuLaw(encodeMuLaw(frameAt(0, 0, left.length))));
    }
    await writer.close();
  });

  test("is a whole file even when the disk lost its end", async () => {
    for (const key of [null, KEY]) {
      const { path, store } = await createFile("MU_LAW", key);
      const writer = new RecordingWriter(store, "MU_LAW");
      writeSeconds(writer, 0, 20);
      await writer.close();
      const whole = await readAll(path, key);
      const { size } = await stat(path);
      await truncate(path, size - 10);
      const cut = await readAll(path, key);
      expect(cut).toHaveLength(58 + (readWavHeader(cut)?.dataBytes ?? -1));
      expect(cut.length).toBeLessThan(whole.length);
      expect(cut.subarray(58).equals(whole.subarray(58, cut.length))).toBe(true);
      await truncate(path, 200);
      expect((await readAll(path, key)).length).toBeLessThan(210);
      await truncate(path, 20);
      await expect(openRecording(path, key)).rejects.toThrow("not a recording");
    }
  });
});

describe("a sealed recording", () => {
  test("gives any range of the same bytes as a plain one", async () => {
    const plain = await createFile("PCM16", null);
    const sealed = await createFile("PCM16", KEY);
    for (const { store } of [plain, sealed]) {
      const writer = new RecordingWriter(store, "PCM16");
      writeSeconds(writer, 0, 7);
      await writer.close();
    }
    const whole = await readFile(plain.path);
    expect((await openRecording(sealed.path, KEY)).byteLength).toBe(whole.length);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length + 10), fc.nat(whole.length + 10), async (start, end) => {
        for (const { path, key } of [
          { ...plain, key: null },
          { ...sealed, key: KEY },
        ]) {
          expect((await readAll(path, key, { start, end })).equals(whole.subarray(start, Math.max(start, end)))).toBe(
            true,
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  test("shows nothing of what was said, and opens with no other key", async () => {
    const { path, store } = await createFile("MU_LAW", KEY);
    const writer = new RecordingWriter(store, "MU_LAW");
    await writer.close(10 * 8_000);
    const bytes = await readFile(path);
    // Ten seconds of unsealed silence would repeat one byte.
    const counts = new Map<number, number>();
    for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThan((bytes.length / 256) * 1.5);
    await expect(openRecording(path, randomBytes(32))).rejects.toThrow();
    await expect(openRecording(path, null)).rejects.toThrow("sealed");
    await expect(openRecording(path, randomBytes(5))).rejects.toThrow(RangeError);
  });

  test("does not open where a byte was changed, or a record put in another's place", async () => {
    const { path, store } = await createFile("MU_LAW", KEY);
    const writer = new RecordingWriter(store, "MU_LAW");
    writeSeconds(writer, 0, 14);
    await writer.close();
    const bytes = await readFile(path);
    const record = 65_536 + 28;
    const first = 32 + 28 + 58;
    const swapped = Buffer.from(bytes);
    bytes.copy(swapped, first, first + record, first + 2 * record);
    const changed = Buffer.from(bytes);
    changed[first + 100] = (changed[first + 100] as number) ^ 1;
    for (const damaged of [swapped, changed]) {
      const copy = join(folder, "damaged.wav");
      await writeFile(copy, damaged);
      await expect(readAll(copy, KEY)).rejects.toThrow();
      // The parts that the damage does not touch are still readable.
      expect(await readAll(copy, KEY, { start: 58 + 2 * 65_536, end: 58 + 3 * 65_536 })).toHaveLength(65_536);
    }
  });
});

describe("a recorder on a bad disk", () => {
  function createSlowStore() {
    const waiting: (() => void)[] = [];
    const chunks = new Map<number, Buffer>();
    const store: RecordingSink = {
      writeHeader: () => Promise.resolve(),
      writeChunk: async (index, bytes) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        chunks.set(index, Buffer.from(bytes));
      },
      sync: () => Promise.resolve(),
    };
    return { store, waiting, chunks };
  }

  test("writes silence for what the disk was too slow for, counts it, and goes on afterwards", async () => {
    const { store, waiting, chunks } = createSlowStore();
    const writer = new RecordingWriter(store, "PCM16");
    // Chunks of 2.048 s: six are held in memory while the disk hangs for a minute.
    writeSeconds(writer, 0, 60);
    await settle();
    const timer = setInterval(() => waiting.shift()?.(), 0);
    // 28 chunks are 57.3 s; the 29th is not a second past.
    while (chunks.size < 28) await settle();
    await settle();
    writeSeconds(writer, 60, 70);
    const summary = await writer.close();
    clearInterval(timer);
    expect(summary).toMatchObject({ failure: null, durationMs: 70_000 });
    expect(summary.lostSamples).toBe(2 * (60 * 8_000 - 6 * 16_384));
    expect([...chunks.keys()]).toEqual(Array.from({ length: 35 }, (_, i) => i));
    expect(chunks.get(0)?.readInt16LE(4 * 1_000)).toBe(sampleAt(0, 1_000));
    expect(chunks.get(20)?.every((byte) => byte === 0)).toBe(true);
    expect(chunks.get(33)?.readInt16LE(0)).toBe(sampleAt(0, 33 * 16_384));
  });

  test("stops at the first fault, and tells what is there", async () => {
    let writes = 0;
    const store: RecordingSink = {
      writeHeader: () => Promise.resolve(),
      writeChunk: () => (++writes < 3 ? Promise.resolve() : Promise.reject(new Error("ENOSPC"))),
      sync: () => Promise.resolve(),
    };
    const writer = new RecordingWriter(store, "PCM16");
    for (let second = 0; second < 20; second++) {
      writeSeconds(writer, second, second + 1);
      await settle();
    }
    const summary = await writer.close();
    expect(writes).toBe(3);
    expect(summary.failure?.message).toBe("ENOSPC");
    expect(summary.byteLength).toBe(44 + 2 * 65_536);
    expect(summary.durationMs).toBe(2 * 2_048);
    expect(summary.lostSamples).toBeGreaterThan(0);
  });
});

describe("the header of mu-law", () => {
  test("is read back, and PCM's, and nothing else", () => {
    for (const encoding of ["PCM16", "MU_LAW"] as const) {
      const shape = { channels: 2, sampleRateHz: 8_000, dataBytes: 1_000, encoding };
      expect(readWavHeader(wavHeader(shape))).toEqual(shape);
    }
    expect(readWavHeader(Buffer.from("RIFF"))).toBeNull();
    expect(readWavHeader(Buffer.alloc(100, "RIFF"))).toBeNull();
  });
});

function splitMuLaw(bytes: Buffer): [Int16Array, Int16Array] {
  const data = bytes.subarray(58);
  const side = (channel: number) => decodeMuLaw(data.filter((_, i) => i % 2 === channel));
  return [side(0), side(1)];
}
