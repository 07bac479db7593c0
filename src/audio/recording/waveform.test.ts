import { expect, test } from "vitest";
import { encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { wavHeader, type WavEncoding } from "#src/audio/codec/wav.ts";
import type { ByteRange, Recording } from "./recording.ts";
import { measureWaveform } from "./waveform.ts";

/** A file of two constant channels, returned in pieces of a size. */
function recordingOf(
  left: number,
  right: number,
  frames: number,
  encoding: WavEncoding,
  pieceFrames = 3_000,
): Recording {
  const samples = Int16Array.from({ length: frames * 2 }, (_, i) => (i % 2 === 0 ? left : right));
  const data = encoding === "MU_LAW" ? encodeMuLaw(samples) : new Uint8Array(samples.buffer);
  const header = wavHeader({ channels: 2, sampleRateHz: 8_000, dataBytes: data.length, encoding });
  const frameBytes = encoding === "MU_LAW" ? 2 : 4;
  const bytes = Buffer.concat([header, data]);
  return {
    byteLength: bytes.length,
    async *read({ start, end }: ByteRange = { start: 0, end: bytes.length }) {
      for (let at = start; at < end; at += pieceFrames * frameBytes) {
        yield bytes.subarray(at, Math.min(end, at + pieceFrames * frameBytes));
      }
    },
  };
}

test.each<WavEncoding>(["PCM16", "MU_LAW"])(
  "the sides of a recording are measured each for itself (%s)",
  async (encoding) => {
    const { durationMs, peaks } = await measureWaveform(recordingOf(16_384, -2_048, 8_100, encoding));
    expect(durationMs).toBe(1_012.5);
    const near = (level: number) => expect.closeTo(level, -1) as number;
    expect([...peaks[0]]).toEqual(Array.from({ length: 11 }, () => near(128)));
    expect([...peaks[1]]).toEqual(Array.from({ length: 11 }, () => near(16)));
  },
);

test("a recording without sound has none, and anything else is refused", async () => {
  expect(await measureWaveform(recordingOf(0, 0, 0, "MU_LAW", 100))).toEqual({
    durationMs: 0,
    peaks: [new Uint8Array(), new Uint8Array()],
  });
  const text: Recording = {
    byteLength: 80,
    async *read() {
      yield Buffer.alloc(80, "text");
    },
  };
  await expect(measureWaveform(text)).rejects.toThrow("not a recording");
});
