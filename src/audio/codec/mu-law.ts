import { createTableCodec, type FrameCodec } from "./frame-codec.ts";

/**
 * G.711 mu-law (ITU-T G.711, table 2). The standard counts in 14 bits; samples here are 16 bits, four times
 * as large, so the bias of 33 becomes 132 and the largest magnitude before clipping 8158 becomes 32635.
 */
const BIAS = 132;
const CLIP = 32_635;

/** G.711 mu-law in the caller's buffers. Samples louder than a code can express are clipped. */
export const muLawCodec: FrameCodec = createTableCodec("PCMU", { decode: decodeCode, encode: encodeSample });

/** Turns 16-bit samples into mu-law bytes, one per sample. Samples louder than a code can express are clipped. */
export function encodeMuLaw(samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  muLawCodec.encodeInto(samples, samples.length, codes, 0);
  return codes;
}

/** Turns mu-law bytes into 16-bit samples, one per byte. */
export function decodeMuLaw(codes: Uint8Array): Int16Array {
  const samples = new Int16Array(codes.length);
  muLawCodec.decodeInto(codes, 0, codes.length, samples);
  return samples;
}

/** Decodes a code. All its bits travel inverted, so that silence is not a run of zeros on the wire. */
function decodeCode(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 7;
  const magnitude = ((((bits & 15) << 3) + BIAS) << segment) - BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}

function encodeSample(sample: number): number {
  const biased = Math.min(Math.abs(sample), CLIP) + BIAS;
  const segment = 24 - Math.clz32(biased);
  const step = (biased >> (segment + 3)) & 15;
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff;
}
