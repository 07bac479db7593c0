import fc from "fast-check";
import { expect, test } from "vitest";
import { resample } from "./resample.ts";
import { StreamResampler } from "./stream-resampler.ts";

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000];

test("pieces of any size give the samples of the whole, between all rates", () => {
  const pieces = fc.array(fc.int16Array({ maxLength: 700 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...RATES), fc.constantFrom(...RATES), pieces, (fromHz, toHz, parts) => {
      const resampler = new StreamResampler(fromHz, toHz);
      const made = parts.flatMap((part) => [...resampler.push(part)]);
      const whole = Int16Array.from(parts.flatMap((part) => [...part]));
      expect([...made, ...resampler.end()]).toEqual([...resampleAll(whole, fromHz, toHz)]);
    }),
    { numRuns: 60 },
  );
});

/** `resample` hands equal rates through; the stream filters them, so the whole is filtered here as well. */
function resampleAll(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz !== toHz) return resample(samples, fromHz, toHz);
  const resampler = new StreamResampler(fromHz, toHz);
  const first = resampler.push(samples);
  return Int16Array.from([...first, ...resampler.end()]);
}

test("the first samples come long before the last", () => {
  const resampler = new StreamResampler(24_000, 8_000);
  expect(resampler.push(new Int16Array(480)).length).toBeGreaterThan(100);
  expect(resampler.push(new Int16Array(24_000)).length).toBeGreaterThan(7_900);
});
