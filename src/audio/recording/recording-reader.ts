import { countWavHeader, readWavHeader, wavHeader } from "#src/audio/codec/wav.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";
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

/** The longest WAV header that a sealed file may have; ours have 58 bytes. */
const MAX_HEADER_BYTES = 1_024;
/** Bytes that hold all that comes before the first chunk, so that a distant file is asked for them once. */
const START_BYTES = PREAMBLE_BYTES + SEAL_BYTES + MAX_HEADER_BYTES;

/** Places of the chunks of audio in a file. */
interface Opened {
  header: Uint8Array;
  dataBytes: number;
  chunkBytes: number;
  placeOf(index: number): number;
  /** Bytes that a chunk has in the file. */
  countBytes(index: number): number;
  /** Returns the audio of a chunk as it is in the file. */
  openChunk(index: number, bytes: Buffer): Buffer;
}

/**
 * Opens a recording that `RecordingWriter` wrote, sealed or not, finished or cut off by a crash, and presents it as a
 * whole WAV file. Throws when the file is no recording, or is sealed and none of the keys matches.
 */
export async function openRecordingFile(file: StoredFile, keys: readonly Uint8Array[]): Promise<Recording> {
  const start = await readStart(file);
  const isSealed = start.subarray(0, SEALED_MAGIC.length).equals(SEALED_MAGIC);
  const opened = isSealed ? openSealed(start, file.byteLength, keys) : openPlain(start, file.byteLength);
  const byteLength = opened.header.length + opened.dataBytes;
  return {
    byteLength,
    read: (range: ByteRange = { start: 0, end: byteLength }) => streamRange(file, opened, range),
  };
}

async function readStart(file: StoredFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read({ start: 0, end: Math.min(file.byteLength, START_BYTES) })) pieces.push(piece);
  return Buffer.concat(pieces);
}

function openPlain(start: Buffer, size: number): Opened {
  const shape = readWavHeader(start.subarray(0, countWavHeader("MU_LAW")));
  if (!shape) throw new Error("This is not a recording.");
  const headerBytes = countWavHeader(shape.encoding);
  const dataBytes = Math.max(0, Math.min(shape.dataBytes, size - headerBytes));
  return {
    header: wavHeader({ ...shape, dataBytes }),
    dataBytes,
    chunkBytes: RECORDING_CHUNK_BYTES,
    placeOf: (index) => headerBytes + index * RECORDING_CHUNK_BYTES,
    countBytes: (index) => Math.min(RECORDING_CHUNK_BYTES, dataBytes - index * RECORDING_CHUNK_BYTES),
    openChunk: (_index, bytes) => bytes,
  };
}

function openSealed(start: Buffer, size: number, keys: readonly Uint8Array[]): Opened {
  const { layout, header } = openHeader(start, keys);
  const shape = readWavHeader(header);
  if (!shape) throw new Error("This is not a recording.");
  const { chunkBytes } = layout;
  const dataBytes = countSealed(layout, shape.dataBytes, size);
  return {
    header: wavHeader({ ...shape, dataBytes }),
    dataBytes,
    chunkBytes,
    placeOf: (index) => placeOfChunk(layout, index),
    // Only the last chunk may be short, and it was written once, so its size follows from the header.
    countBytes: (index) => SEAL_BYTES + Math.min(chunkBytes, shape.dataBytes - index * chunkBytes),
    openChunk: (index, bytes) => openRecord(layout, index + 1, bytes).subarray(0, dataBytes - index * chunkBytes),
  };
}

/** Opens the WAV header with the key that matches. */
function openHeader(start: Buffer, keys: readonly Uint8Array[]): { layout: SealedLayout; header: Buffer } {
  let fault: unknown = new Error("The recording is sealed, and there is no key.");
  for (const key of keys) {
    const layout = readPreamble(start.subarray(0, PREAMBLE_BYTES), key);
    if (!layout || layout.headerBytes > MAX_HEADER_BYTES || layout.chunkBytes === 0 || layout.chunkBytes > 2 ** 24) {
      throw new Error("This is not a recording.");
    }
    const record = start.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + SEAL_BYTES + layout.headerBytes);
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

async function* streamRange(file: StoredFile, opened: Opened, range: ByteRange): AsyncGenerator<Uint8Array> {
  const { header, dataBytes, chunkBytes } = opened;
  const end = Math.min(range.end, header.length + dataBytes);
  if (range.start < header.length) yield header.subarray(range.start, Math.max(range.start, end));
  const from = Math.max(0, range.start - header.length);
  const to = end - header.length;
  if (from >= to) return;
  let index = Math.floor(from / chunkBytes);
  for await (const bytes of readChunks(file, opened, index, Math.ceil(to / chunkBytes))) {
    const start = index * chunkBytes;
    const chunk = opened.openChunk(index, bytes);
    yield chunk.subarray(Math.max(0, from - start), Math.min(chunk.length, to - start));
    index++;
  }
}

/** Reads the chunks from `first` to before `end` as they are in the file, in one piece of it. */
async function* readChunks(file: StoredFile, opened: Opened, first: number, end: number): AsyncGenerator<Buffer> {
  const span = { start: opened.placeOf(first), end: opened.placeOf(end - 1) + opened.countBytes(end - 1) };
  let rest: Buffer = Buffer.alloc(0);
  let index = first;
  for await (const piece of file.read(span)) {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    for (; index < end && rest.length >= opened.countBytes(index); index++) {
      const bytes = opened.countBytes(index);
      yield rest.subarray(0, bytes);
      rest = rest.subarray(bytes);
    }
  }
  if (index < end) throw new Error("The recording is cut short.");
}
