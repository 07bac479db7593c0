import { describe, expect, test } from "vitest";
import { resample } from "./resample.ts";

function sine(hz: number, rateHz: number, count: number): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => Math.round(10_000 * Math.sin((2 * Math.PI * hz * i) / rateHz)));
}

/** Loudness of the middle, where the filter's edges do not reach. */
function rms(samples: Int16Array): number {
  const middle = samples.subarray(samples.length >> 2, (samples.length * 3) >> 2);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length);
}

describe("resample", () => {
  test.each([
    [16_000, 8_000],
    [24_000, 8_000],
    [22_050, 8_000],
    [8_000, 16_000],
  ])("keeps a 1 kHz tone from %i to %i Hz, in place and in strength", (fromHz, toHz) => {
    const result = resample(sine(1_000, fromHz, fromHz), fromHz, toHz);
    expect(result).toHaveLength(toHz);
    const expected = sine(1_000, toHz, toHz);
    const error = result.map((sample, i) => sample - (expected[i] as number));
    expect(rms(error)).toBeLessThan(rms(expected) * 0.01);
  });

  test("keeps 3 kHz and takes away what 8 kHz cannot carry", () => {
    const kept = resample(sine(3_000, 16_000, 16_000), 16_000, 8_000);
    expect(rms(kept)).toBeGreaterThan(10_000 * Math.SQRT1_2 * 0.97);
    for (const hz of [4_200, 5_000, 7_000]) {
      expect(rms(resample(sine(hz, 16_000, 16_000), 16_000, 8_000))).toBeLessThan(10);
    }
  });

  test("clips instead of wrapping round, and gives an empty result for no samples", () => {
    const square = Int16Array.from({ length: 400 }, (_, i) => (i % 40 < 20 ? 32_767 : -32_768));
    const result = resample(square, 16_000, 8_000);
    // Well inside a positive half wave: a sum past 32,767 that wrapped would come out negative.
    const insides = [...result].filter((_, i) => i > 50 && i < 150 && (i * 2) % 40 > 4 && (i * 2) % 40 < 16);
    expect(insides.length).toBeGreaterThan(20);
    expect(Math.min(...insides)).toBeGreaterThan(25_000);
    expect(resample(new Int16Array(0), 16_000, 8_000)).toHaveLength(0);
  });
});
