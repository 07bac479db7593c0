import { describe, expect, test } from "vitest";
import { resample } from "#src/audio/codec/resample.ts";
import { wavHeader } from "#src/audio/codec/wav.ts";
import { encodeToneSpeech, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import { hearWav } from "./tone-listener.ts";

function wav(samples: Int16Array, sampleRateHz = TONE_RATE_HZ): Uint8Array {
  const header = wavHeader({ channels: 1, sampleRateHz, dataBytes: samples.byteLength });
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

/** Joins parts; a number is a silence of so many samples. */
function join(...parts: (Int16Array | number)[]): Int16Array {
  const arrays = parts.map((part) => (typeof part === "number" ? new Int16Array(part) : part));
  const whole = new Int16Array(arrays.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of arrays) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

describe("hearing tone speech in a WAV file", () => {
  test("each utterance has its place in time, also two without a pause between them", () => {
    const [one, two, three] = ["first", "second", "third"].map(encodeToneSpeech) as [
      Int16Array,
      Int16Array,
      Int16Array,
    ];
    const { durationSeconds, segments } = hearWav(wav(join(8_000, one, two, 16_000, three, 4_000)));
    const oneMs = one.length / 8;
    const twoMs = two.length / 8;
    expect(segments).toEqual([
      { startMs: 1_000, endMs: 1_000 + oneMs, speaker: null, text: "first" },
      { startMs: 1_000 + oneMs, endMs: 1_000 + oneMs + twoMs, speaker: null, text: "second" },
      { startMs: 3_000 + oneMs + twoMs, endMs: 3_000 + oneMs + twoMs + three.length / 8, speaker: null, text: "third" },
    ]);
    expect(durationSeconds).toBe((28_000 + one.length + two.length + three.length) / 8_000);
  });

  test.each([16_000, 44_100, 48_000])("at %i Hz", (rate) => {
    const samples = resample(join(800, encodeToneSpeech("at another rate"), 800), TONE_RATE_HZ, rate);
    expect(hearWav(wav(samples, rate)).segments.map(({ text }) => text)).toEqual(["at another rate"]);
  });

  test("noise holds no text", () => {
    let state = 1;
    const noise = Int16Array.from({ length: 40_000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (state % 20_000) - 10_000;
    });
    expect(hearWav(wav(noise))).toEqual({ durationSeconds: 5, segments: [] });
  });

  test.each([
    ["no WAV", Buffer.from("ID3 something else entirely")],
    ["a rate of 1 Hz", wav(new Int16Array(10), 1)],
    ["a rate beyond all use", wav(new Int16Array(10), 2_000_000_000)],
  ])("%s is refused", (_name, bytes) => {
    expect(() => hearWav(bytes)).toThrow(/WAV/);
  });
});
