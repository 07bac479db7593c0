import { type FrameCodec, measureMagnitude } from "./frame-codec.ts";

/** 16-bit samples, high byte first, which RFC 3551 calls L16. */
export const linear16BigEndian: FrameCodec = {
  name: "L16_BE",
  bytesPerSample: 2,
  silence: 0,
  encodeInto(samples, count, bytes, at) {
    for (let i = 0, to = at; i < count; i++) {
      const sample = samples[i] as number;
      bytes[to++] = sample >> 8;
      bytes[to++] = sample;
    }
    return count * 2;
  },
  encodeChannel(samples, from, count, bytes, at, stride) {
    let loudest = 0;
    for (let i = from, to = at; i < from + count; i++, to += stride) {
      const sample = samples[i] as number;
      const magnitude = measureMagnitude(sample);
      if (magnitude > loudest) loudest = magnitude;
      bytes[to] = sample >> 8;
      bytes[to + 1] = sample;
    }
    return loudest;
  },
  decodeInto(bytes, at, byteCount, samples) {
    const count = byteCount >> 1;
    for (let i = 0, from = at; i < count; i++, from += 2) {
      samples[i] = ((bytes[from] as number) << 8) | (bytes[from + 1] as number);
    }
    return count;
  },
};

/** 16-bit samples, low byte first, as Vonage and browsers send them. */
export const linear16LittleEndian: FrameCodec = {
  name: "L16_LE",
  bytesPerSample: 2,
  silence: 0,
  encodeInto(samples, count, bytes, at) {
    for (let i = 0, to = at; i < count; i++) {
      const sample = samples[i] as number;
      bytes[to++] = sample;
      bytes[to++] = sample >> 8;
    }
    return count * 2;
  },
  encodeChannel(samples, from, count, bytes, at, stride) {
    let loudest = 0;
    for (let i = from, to = at; i < from + count; i++, to += stride) {
      const sample = samples[i] as number;
      const magnitude = measureMagnitude(sample);
      if (magnitude > loudest) loudest = magnitude;
      bytes[to] = sample;
      bytes[to + 1] = sample >> 8;
    }
    return loudest;
  },
  decodeInto(bytes, at, byteCount, samples) {
    const count = byteCount >> 1;
    for (let i = 0, from = at; i < count; i++, from += 2) {
      samples[i] = (bytes[from] as number) | ((bytes[from + 1] as number) << 8);
    }
    return count;
  },
};
