import { decodeMuLaw } from "./mu-law.ts";

const PCM = 1;
const MU_LAW = 7;
const PCM_HEADER_BYTES = 44;
/** Bytes of a mu-law header: PCM's, an empty format extension (2) and a `fact` chunk that counts the samples (12). */
const MU_LAW_HEADER_BYTES = PCM_HEADER_BYTES + 2 + 12;
/** Sizes in a RIFF file are 32 bits wide; 8 bytes of the header are outside its own count. */
const MAX_DATA_BYTES = 0xffff_ffff - (MU_LAW_HEADER_BYTES - 8);

/** Encoding of a file's samples: two bytes each, or one of mu-law. */
export type WavEncoding = "PCM16" | "MU_LAW";

/** Contents of a WAV header. `dataBytes` counts the bytes of all channels. */
export interface WavShape {
  channels: number;
  sampleRateHz: number;
  dataBytes: number;
  encoding?: WavEncoding;
}

/** A WAV file read whole: one array of samples per channel. */
export interface Wav {
  sampleRateHz: number;
  channels: Int16Array[];
}

/** Bytes of the header that `wavHeader` makes. */
export function countWavHeader(encoding: WavEncoding): number {
  return encoding === "PCM16" ? PCM_HEADER_BYTES : MU_LAW_HEADER_BYTES;
}

/** Builds the header that precedes the samples. Throws a RangeError when the data is larger than a WAV file can be. */
export function wavHeader(shape: WavShape): Uint8Array {
  const { channels, sampleRateHz, dataBytes, encoding = "PCM16" } = shape;
  if (dataBytes > MAX_DATA_BYTES) throw new RangeError("The recording is longer than a WAV file can hold.");
  const header = Buffer.alloc(countWavHeader(encoding));
  const isPcm = encoding === "PCM16";
  const frameBytes = channels * (isPcm ? 2 : 1);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(dataBytes + header.length - 8, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(isPcm ? 16 : 18, 16);
  header.writeUInt16LE(isPcm ? PCM : MU_LAW, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(isPcm ? 16 : 8, 34);
  if (!isPcm) {
    header.write("fact", 38, "latin1");
    header.writeUInt32LE(4, 42);
    header.writeUInt32LE(dataBytes / frameBytes, 46);
  }
  header.write("data", header.length - 8, "latin1");
  header.writeUInt32LE(dataBytes, header.length - 4);
  return header;
}

/** Reads a header that `wavHeader` built; null for anything else. */
export function readWavHeader(bytes: Uint8Array): Required<WavShape> | null {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (header.length < PCM_HEADER_BYTES || header.toString("latin1", 0, 4) !== "RIFF") return null;
  const encoding = header.readUInt16LE(20) === PCM ? "PCM16" : "MU_LAW";
  const size = countWavHeader(encoding);
  if (header.length < size || header.toString("latin1", size - 8, size - 4) !== "data") return null;
  const dataBytes = header.readUInt32LE(size - 4);
  return { channels: header.readUInt16LE(22), sampleRateHz: header.readUInt32LE(24), dataBytes, encoding };
}

/** Reads a WAV file of 16-bit PCM or mu-law. Throws when it is another format or truncated; skips unknown chunks. */
export function parseWav(bytes: Uint8Array): Wav {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") {
    throw new Error("This is not a WAV file.");
  }
  const chunks = readChunks(file);
  const format = chunks.get("fmt ");
  const data = chunks.get("data");
  if (!format || format.length < 16 || !data) throw new Error("The WAV file lacks its format or its samples.");
  const channels = format.readUInt16LE(2);
  const encoding = `${format.readUInt16LE(0)}/${format.readUInt16LE(14)}`;
  const isPcm = encoding === `${PCM}/16`;
  if ((!isPcm && encoding !== `${MU_LAW}/8`) || channels === 0) {
    throw new Error("Only WAV files of 16-bit PCM and of mu-law are read.");
  }
  return {
    sampleRateHz: format.readUInt32LE(4),
    channels: splitChannels(isPcm ? readPcm(data) : decodeMuLaw(data), channels),
  };
}

function readChunks(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    if (at + 8 + size > file.length) throw new Error("The WAV file is cut short.");
    chunks.set(name, file.subarray(at + 8, at + 8 + size));
    // A chunk of odd size is followed by one byte of padding that its size does not count.
    at += 8 + size + (size & 1);
  }
  return chunks;
}

function readPcm(data: Buffer): Int16Array {
  const samples = new Int16Array(data.length >> 1);
  for (let i = 0; i < samples.length; i++) samples[i] = data.readInt16LE(i * 2);
  return samples;
}

function splitChannels(all: Int16Array, channels: number): Int16Array[] {
  const frames = Math.floor(all.length / channels);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Int16Array(frames);
    for (let i = 0; i < frames; i++) samples[i] = all[i * channels + channel] as number;
    return samples;
  });
}
