import { open, type FileHandle } from "node:fs/promises";
import { countWavHeader, readWavHeader, wavHeader } from "#src/audio/codec/wav.ts";
import { RECORDING_CHUNK_BYTES } from "./recording-sink.ts";
import type { ByteRange, Recording } from "./recording.ts";
import {
  openRecord,
  placeOfChunk,
  PREAMBLE_BYTES,
  readPreamble,
  SEAL_BYTES,
  SEALED_MAGIC,
  type SealedLayout,
} from "./sealed-recording.ts";

/** Reads one chunk of audio, as far as the recording goes. */
type ReadChunk = (file: FileHandle, index: number, byteCount: number) => Promise<Buffer>;

interface Opened {
  header: Uint8Array;
  dataBytes: number;
  chunkBytes: number;
  readChunk: ReadChunk;
}

/**
 * Opens a recording that `RecordingWriter` wrote, sealed or not, finished or cut off by a crash, and presents it as a
 * whole WAV file. Throws when the file is no recording, or is sealed and none of the keys matches.
 */
export async function openRecordingFile(path: string, keys: readonly Uint8Array[]): Promise<Recording> {
  const opened = await withFile(path, async (file) => {
    const { size } = await file.stat();
    const start = await readFully(file, 0, Math.min(size, PREAMBLE_BYTES));
    return start.subarray(0, SEALED_MAGIC.length).equals(SEALED_MAGIC)
      ? openSealed(file, start, size, keys)
      : openPlain(file, size);
  });
  const byteLength = opened.header.length + opened.dataBytes;
  return {
    byteLength,
    read: (range: ByteRange = { start: 0, end: byteLength }) => streamRange(path, opened, range),
  };
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, "r");
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function openPlain(file: FileHandle, size: number): Promise<Opened> {
  const start = await readFully(file, 0, Math.min(size, countWavHeader("MU_LAW")));
  const shape = readWavHeader(start);
  if (!shape) throw new Error("This is not a recording.");
  const headerBytes = countWavHeader(shape.encoding);
  const dataBytes = Math.max(0, Math.min(shape.dataBytes, size - headerBytes));
  return {
    header: wavHeader({ ...shape, dataBytes }),
    dataBytes,
    chunkBytes: RECORDING_CHUNK_BYTES,
    readChunk: (reading, index, byteCount) =>
      readFully(reading, headerBytes + index * RECORDING_CHUNK_BYTES, byteCount),
  };
}

async function openSealed(
  file: FileHandle,
  preamble: Buffer,
  size: number,
  keys: readonly Uint8Array[],
): Promise<Opened> {
  const { layout, header } = await openHeader(file, preamble, keys);
  const shape = readWavHeader(header);
  if (!shape) throw new Error("This is not a recording.");
  const dataBytes = countSealed(layout, shape.dataBytes, size);
  return {
    header: wavHeader({ ...shape, dataBytes }),
    dataBytes,
    chunkBytes: layout.chunkBytes,
    readChunk: async (reading, index, byteCount) => {
      // Only the last chunk may be short, and it was written once, so its size follows from the header.
      const whole = Math.min(layout.chunkBytes, shape.dataBytes - index * layout.chunkBytes);
      const sealed = await readFully(reading, placeOfChunk(layout, index), SEAL_BYTES + whole);
      return openRecord(layout, index + 1, sealed).subarray(0, byteCount);
    },
  };
}

/** Opens the WAV header with the key that matches. */
async function openHeader(
  file: FileHandle,
  preamble: Buffer,
  keys: readonly Uint8Array[],
): Promise<{ layout: SealedLayout; header: Buffer }> {
  let fault: unknown = new Error("The recording is sealed, and there is no key.");
  for (const key of keys) {
    const layout = readPreamble(preamble, key);
    if (!layout || layout.headerBytes > 1_024 || layout.chunkBytes === 0 || layout.chunkBytes > 2 ** 24) {
      throw new Error("This is not a recording.");
    }
    const record = await readFully(file, PREAMBLE_BYTES, SEAL_BYTES + layout.headerBytes);
    try {
      return { layout, header: openRecord(layout, 0, record) };
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** Bytes of audio that the header states and the file holds: only whole records can be opened. */
function countSealed(layout: SealedLayout, dataBytes: number, size: number): number {
  const recordBytes = SEAL_BYTES + layout.chunkBytes;
  const room = Math.max(0, size - placeOfChunk(layout, 0));
  const chunks = Math.floor(dataBytes / layout.chunkBytes);
  if (room < chunks * recordBytes) return Math.floor(room / recordBytes) * layout.chunkBytes;
  const last = dataBytes % layout.chunkBytes;
  return room - chunks * recordBytes >= SEAL_BYTES + last ? dataBytes : chunks * layout.chunkBytes;
}

async function* streamRange(path: string, opened: Opened, range: ByteRange): AsyncGenerator<Uint8Array> {
  const { header, dataBytes, chunkBytes, readChunk } = opened;
  const end = Math.min(range.end, header.length + dataBytes);
  if (range.start < header.length) yield header.subarray(range.start, Math.max(range.start, end));
  const from = Math.max(0, range.start - header.length);
  const to = end - header.length;
  if (from >= to) return;
  const file = await open(path, "r");
  try {
    for (let index = Math.floor(from / chunkBytes); index * chunkBytes < to; index++) {
      const start = index * chunkBytes;
      const chunk = await readChunk(file, index, Math.min(chunkBytes, dataBytes - start));
      yield chunk.subarray(Math.max(0, from - start), Math.min(chunk.length, to - start));
    }
  } finally {
    await file.close();
  }
}

async function readFully(file: FileHandle, position: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count;) {
    const { bytesRead } = await file.read(bytes, done, count - done, position + done);
    if (bytesRead === 0) throw new Error("The recording is cut short.");
    done += bytesRead;
  }
  return bytes;
}
