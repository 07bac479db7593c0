import { createTableCodec, type FrameCodec } from "./frame-codec.ts";

/** Mask of the bits that travel inverted, every second one, so that silence is not a run of equal bits on the wire. */
const EVEN_BITS = 0x55;

/** G.711 A-law (ITU-T G.711, table 1), samples of 16 bits. */
export const aLawCodec: FrameCodec = createTableCodec("PCMA", { decode: decodeCode, encode: encodeSample });

/**
 * Decodes a code. The standard counts in 13 bits, a sixteenth of the samples here; values lie in the middle of a step.
 */
function decodeCode(code: number): number {
  const bits = code ^ EVEN_BITS;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 15) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

function encodeSample(sample: number): number {
  // The complement puts -1 into the first negative step: A-law has no zero, its two middle steps touch there.
  const magnitude = (sample < 0 ? ~sample : sample) >> 4;
  const segment = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const step = segment === 0 ? magnitude : (magnitude >> (segment - 1)) & 15;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ EVEN_BITS;
}
