import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resample } from "./resample.ts";
import { StreamingResampler } from "./streaming-resampler.ts";

const PAIRS = [
  [8_000, 16_000],
  [16_000, 8_000],
  [8_000, 24_000],
  [24_000, 8_000],
  [22_050, 8_000],
] as const;

/** Feeds a stream in frames of the given lengths, the last one again and again until all is in. */
function feed(samples: Int16Array, lengths: number[], resampler: StreamingResampler): Int16Array {
  const output = new Int16Array(resampler.maxOutputSamples(480));
  const result: number[] = [];
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const count = Math.min(lengths[turn % lengths.length] as number, samples.length - at);
    const written = resampler.process(samples.subarray(at, at + count), count, output);
    for (let i = 0; i < written; i++) result.push(output[i] as number);
    at += count;
  }
  return Int16Array.from(result);
}

function noise(count: number): Int16Array {
  let state = 12_345;
  return Int16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >> 17;
  });
}

describe("a streaming resampler", () => {
  test.each(PAIRS)("gives from %i to %i Hz what resampling the whole gives, later by its delay", (fromHz, toHz) => {
    const samples = noise(fromHz / 4);
    const resampler = new StreamingResampler(fromHz, toHz, 480);
    const streamed = feed(samples, [fromHz / 50], resampler);
    const delayed = new Int16Array(samples.length);
    // A delay in whole incoming samples, because 22,050 Hz has none in whole outgoing ones.
    const delayIn = (resampler.delaySamples * fromHz) / toHz;
    delayed.set(samples.subarray(0, samples.length - delayIn), delayIn);
    const whole = resample(delayed, fromHz, toHz);
    expect(Math.abs(streamed.length - whole.length)).toBeLessThanOrEqual(1);
    const middle = Math.floor(whole.length * 0.9);
    expect([...streamed.subarray(0, middle)]).toEqual([...whole.subarray(0, middle)]);
  });

  test("does not care how the stream is cut into frames", () => {
    const samples = noise(3_000);
    for (const [fromHz, toHz] of PAIRS) {
      const whole = feed(samples, [480], new StreamingResampler(fromHz, toHz, 480));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 480 }), { minLength: 1, maxLength: 20 }), (lengths) => {
          expect(feed(samples, lengths, new StreamingResampler(fromHz, toHz, 480))).toEqual(whole);
        }),
        { numRuns: 10 },
      );
    }
  });

  test("gives frames of 20 ms for frames of 20 ms", () => {
    const output = new Int16Array(480);
    const up = new StreamingResampler(8_000, 16_000, 160);
    const down = new StreamingResampler(24_000, 8_000, 480);
    for (let i = 0; i < 50; i++) {
      expect(up.process(new Int16Array(160), 160, output)).toBe(320);
      expect(down.process(new Int16Array(480), 480, output)).toBe(160);
    }
  });

  test("forgets the stream before on reset, and refuses frames its buffers cannot hold", () => {
    const resampler = new StreamingResampler(16_000, 8_000, 320);
    const output = new Int16Array(160);
    resampler.process(noise(320), 320, output);
    resampler.reset();
    resampler.process(new Int16Array(320), 320, output);
    expect(Math.max(...output.map(Math.abs))).toBe(0);
    expect(() => resampler.process(new Int16Array(321), 321, new Int16Array(400))).toThrow(RangeError);
    expect(() => resampler.process(new Int16Array(320), 320, new Int16Array(159))).toThrow(RangeError);
  });
});
