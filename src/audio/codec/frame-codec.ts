/** Names of the encodings that transports carry. L16 goes in either byte order, because carriers disagree. */
export type CodecName = "PCMU" | "PCMA" | "L16_BE" | "L16_LE";

/**
 * Turns samples into bytes and back in the caller's buffers, so that a frame allocates nothing. The caller keeps counts
 * within the buffers.
 */
export interface FrameCodec {
  readonly name: CodecName;
  readonly bytesPerSample: 1 | 2;
  /** The byte that, repeated, is silence. */
  readonly silence: number;
  /** Encodes the first `count` samples to `bytes` from `at` on; returns the number of bytes. */
  encodeInto(samples: Int16Array, count: number, bytes: Uint8Array, at: number): number;
  /**
   * Encodes `count` samples from `from` on as one channel of several: each sample's bytes lie `stride` after those of
   * the one before. Returns the loudest magnitude among them.
   */
  encodeChannel(
    samples: Int16Array,
    from: number,
    count: number,
    bytes: Uint8Array,
    at: number,
    stride: number,
  ): number;
  /** Decodes `byteCount` bytes from `at` on to the start of `samples`; returns the number of samples. */
  decodeInto(bytes: Uint8Array, at: number, byteCount: number, samples: Int16Array): number;
}

/** Returns a sample's magnitude. Uses the complement, because -32,768 has no opposite in 16 bits. */
export function measureMagnitude(sample: number): number {
  return sample < 0 ? ~sample : sample;
}

/** Rules of a codec of one byte per sample. */
export interface CodeRules {
  /** Returns the sample of a code. */
  decode: (code: number) => number;
  /** Returns the code of a sample. */
  encode: (sample: number) => number;
}

/** Samples of all 256 codes, and codes of all 65,536 samples. */
interface Tables {
  decoded: Int16Array;
  encoded: Uint8Array;
}

function makeTables({ decode, encode }: CodeRules): Tables {
  const decoded = new Int16Array(256);
  const encoded = new Uint8Array(65_536);
  // `from` takes ten times as long.
  for (let code = 0; code < decoded.length; code++) decoded[code] = decode(code);
  for (let bits = 0; bits < encoded.length; bits++) encoded[bits] = encode((bits << 16) >> 16);
  return { decoded, encoded };
}

/** Creates a codec that only looks up, in tables that are made at its first frame. */
export function createTableCodec(name: CodecName, rules: CodeRules): FrameCodec {
  let tables: Tables | undefined;
  return {
    name,
    bytesPerSample: 1,
    silence: rules.encode(0),
    encodeInto(samples, count, bytes, at) {
      const { encoded } = (tables ??= makeTables(rules));
      for (let i = 0; i < count; i++) bytes[at + i] = encoded[(samples[i] as number) & 0xffff] as number;
      return count;
    },
    encodeChannel(samples, from, count, bytes, at, stride) {
      const { encoded } = (tables ??= makeTables(rules));
      let loudest = 0;
      for (let i = from, to = at; i < from + count; i++, to += stride) {
        const sample = samples[i] as number;
        const magnitude = measureMagnitude(sample);
        if (magnitude > loudest) loudest = magnitude;
        bytes[to] = encoded[sample & 0xffff] as number;
      }
      return loudest;
    },
    decodeInto(bytes, at, byteCount, samples) {
      const { decoded } = (tables ??= makeTables(rules));
      for (let i = 0; i < byteCount; i++) samples[i] = decoded[bytes[at + i] as number] as number;
      return byteCount;
    },
  };
}
