import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codecNamed } from "./codecs.ts";
import type { CodecName } from "./frame-codec.ts";

/** The segments of G.711 table 1a: first 13-bit output value and the step between values. */
const A_LAW_SEGMENTS = [
  { first: 1, step: 2 },
  { first: 33, step: 2 },
  { first: 66, step: 4 },
  { first: 132, step: 8 },
  { first: 264, step: 16 },
  { first: 528, step: 32 },
  { first: 1056, step: 64 },
  { first: 2112, step: 128 },
];

const NAMES: CodecName[] = ["PCMU", "PCMA", "L16_BE", "L16_LE"];

function decodeOne(name: CodecName, ...bytes: number[]): number {
  const samples = new Int16Array(1);
  codecNamed(name).decodeInto(Uint8Array.from(bytes), 0, bytes.length, samples);
  return samples[0] as number;
}

function encodeOne(name: CodecName, sample: number): number[] {
  const bytes = new Uint8Array(codecNamed(name).bytesPerSample);
  codecNamed(name).encodeInto(Int16Array.of(sample), 1, bytes, 0);
  return [...bytes];
}

describe("A-law", () => {
  test("decodes every code to the value of the standard's table", () => {
    for (const [segment, { first, step }] of A_LAW_SEGMENTS.entries()) {
      for (let i = 0; i < 16; i++) {
        // The table's signal has its even bits inverted on the line (0xd5 is the smallest positive value).
        const code = (0x80 | (segment << 4) | i) ^ 0x55;
        expect(decodeOne("PCMA", code)).toBe(8 * (first + i * step));
        expect(decodeOne("PCMA", code ^ 0x80)).toBe(-8 * (first + i * step));
      }
    }
  });

  test("puts every sample into the interval of the standard, and gives its own values back", () => {
    const intervals = A_LAW_SEGMENTS.flatMap(({ first, step }) =>
      Array.from({ length: 16 }, (_, i) => ({
        value: first + i * step,
        start: first + i * step - step / 2,
      })),
    );
    for (let sample = -32_768; sample <= 32_767; sample += 3) {
      // A step ends where the next one starts, on both sides of zero.
      const magnitude = sample < 0 ? -sample - 1 : sample;
      const interval = intervals.findLast(({ start }) => start * 8 <= magnitude);
      const value = decodeOne("PCMA", ...encodeOne("PCMA", sample));
      expect(Math.abs(value)).toBe(8 * (interval?.value as number));
      expect(value >= 0).toBe(sample >= 0);
    }
    for (let code = 0; code < 256; code++) expect(encodeOne("PCMA", decodeOne("PCMA", code))).toEqual([code]);
  });
});

describe("codecs", () => {
  test("put the bytes of L16 in the order of their name", () => {
    expect(encodeOne("L16_BE", 0x1234)).toEqual([0x12, 0x34]);
    expect(encodeOne("L16_LE", 0x1234)).toEqual([0x34, 0x12]);
    expect(encodeOne("L16_BE", -2)).toEqual([0xff, 0xfe]);
    expect(decodeOne("L16_BE", 0x80, 0x00)).toBe(-32_768);
    expect(decodeOne("L16_LE", 0xff, 0x7f)).toBe(32_767);
  });

  test.each(NAMES)("%s writes and reads only the part it is told", (name) => {
    const codec = codecNamed(name);
    const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 200 });
    fc.assert(
      fc.property(samples, fc.nat(20), (values, at) => {
        const bytes = new Uint8Array(at + values.length * codec.bytesPerSample + 5).fill(7);
        const written = codec.encodeInto(Int16Array.from(values), values.length, bytes, at);
        expect(written).toBe(values.length * codec.bytesPerSample);
        expect([...bytes.subarray(0, at), ...bytes.subarray(at + written)]).toEqual(Array(at + 5).fill(7));
        const decoded = new Int16Array(values.length + 3).fill(9);
        expect(codec.decodeInto(bytes, at, written, decoded)).toBe(values.length);
        expect([...decoded.subarray(values.length)]).toEqual([9, 9, 9]);
        for (const [i, value] of values.entries()) {
          const error = Math.abs((decoded[i] as number) - value);
          // G.711's largest step is 1,024 of 32,768; beyond 32,124 there is only clipping.
          expect(error).toBeLessThanOrEqual(codec.bytesPerSample === 2 ? 0 : Math.max(16, Math.abs(value) / 16 + 132));
        }
      }),
    );
  });

  test.each(NAMES)("%s has a byte of silence that decodes to next to nothing", (name) => {
    const { silence, bytesPerSample } = codecNamed(name);
    expect(Math.abs(decodeOne(name, ...Array<number>(bytesPerSample).fill(silence)))).toBeLessThanOrEqual(8);
  });
});
