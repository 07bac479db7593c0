import { describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "./mu-law.ts";

/** The eight segments of G.711 table 2a: first 14-bit output value and the step between values. */
const SEGMENTS = [
  { first: 0, step: 2 },
  { first: 33, step: 4 },
  { first: 99, step: 8 },
  { first: 231, step: 16 },
  { first: 495, step: 32 },
  { first: 1023, step: 64 },
  { first: 2079, step: 128 },
  { first: 4191, step: 256 },
];

function decodeOne(code: number): number {
  return decodeMuLaw(Uint8Array.of(code))[0] as number;
}

function encodeOne(sample: number): number {
  return encodeMuLaw(Int16Array.of(sample))[0] as number;
}

describe("mu-law", () => {
  test("decodes every code to the value of the standard's table", () => {
    for (const [segment, { first, step }] of SEGMENTS.entries()) {
      for (let i = 0; i < 16; i++) {
        const positive = 0xff - segment * 16 - i;
        expect(decodeOne(positive)).toBe(4 * (first + i * step));
        expect(Math.abs(decodeOne(positive - 0x80))).toBe(4 * (first + i * step));
        expect(decodeOne(positive - 0x80)).toBeLessThanOrEqual(0);
      }
    }
  });

  test("encodes at the standard's decision values", () => {
    // Table 2a: 0..1 is the first interval, 1..3 the second, 31..35 the seventeenth, above 8159 is clipped.
    expect(encodeOne(0)).toBe(0xff);
    expect([encodeOne(3), encodeOne(4), encodeOne(11), encodeOne(12)]).toEqual([0xff, 0xfe, 0xfe, 0xfd]);
    expect([encodeOne(123), encodeOne(124), encodeOne(139), encodeOne(140)]).toEqual([0xf0, 0xef, 0xef, 0xee]);
    expect([encodeOne(32_767), encodeOne(-32_768)]).toEqual([0x80, 0x00]);
  });

  test("puts every sample into the interval of the standard, and gives its own values back", () => {
    // A value's interval starts half its segment's step below it (31 before 33, 4063 before 4191); zero's at zero.
    const intervals = SEGMENTS.flatMap(({ first, step }) =>
      Array.from({ length: 16 }, (_, i) => ({
        value: first + i * step,
        start: Math.max(0, first + i * step - step / 2),
      })),
    );
    for (let sample = -32_768; sample <= 32_767; sample += 3) {
      const interval = intervals.findLast(({ start }) => start <= Math.abs(sample) / 4);
      expect(Math.abs(decodeOne(encodeOne(sample)))).toBe(4 * (interval?.value as number));
      expect(encodeOne(sample) >= 0x80).toBe(sample >= 0);
    }
    for (let code = 0; code < 256; code++) expect(decodeOne(encodeOne(decodeOne(code)))).toBe(decodeOne(code));
  });
});
