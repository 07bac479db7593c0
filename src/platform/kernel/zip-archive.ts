import { crc32, inflateRawSync } from "node:zlib";

const END_MARK = 0x0605_4b50;
const ENTRY_MARK = 0x0201_4b50;
const LOCAL_MARK = 0x0403_4b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
const STORED = 0;
const DEFLATED = 8;

/** Size limits of an archive. */
export interface ArchiveLimits {
  maxEntries: number;
  /** Unpacked bytes of all entries together. */
  maxBytes: number;
}

interface Entry {
  name: Buffer;
  data: Buffer;
}

/**
 * Unpacks the XML parts of an office file (a ZIP archive, PKWARE APPNOTE 4.3) within limits and packs them anew without
 * compression. The next reader then meets nothing larger, and nothing that is not in the directory. Throws an Error
 * with the reason when the file cannot be read.
 */
export function repackXml(file: Buffer, limits: ArchiveLimits): Buffer {
  const { count, start } = readEnd(file);
  if (count > limits.maxEntries) throw new Error(`has more than ${limits.maxEntries} parts.`);
  const entries: Entry[] = [];
  let left = limits.maxBytes;
  let at = start;
  for (let i = 0; i < count; i++) {
    assertMark(file, at, ENTRY_BYTES, ENTRY_MARK);
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (/\.(xml|rels)$/.test(name.toString("latin1"))) {
      const data = unpack(file, at, left);
      left -= data.length;
      entries.push({ name, data });
    }
    at += ENTRY_BYTES + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return pack(entries);
}

function readEnd(file: Buffer): { count: number; start: number } {
  const lowest = Math.max(0, file.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = file.length - END_BYTES; at >= lowest; at--) {
    if (file.readUInt32LE(at) === END_MARK) {
      return { count: file.readUInt16LE(at + 10), start: file.readUInt32LE(at + 16) };
    }
  }
  throw new Error("is not an archive that can be read.");
}

function assertMark(file: Buffer, at: number, bytes: number, mark: number): void {
  if (at + bytes > file.length || file.readUInt32LE(at) !== mark) throw new Error("is a damaged archive.");
}

/** Unpacks one entry. The sizes in the directory are untrusted: the limit applies to the bytes that come out. */
function unpack(file: Buffer, entry: number, maxBytes: number): Buffer {
  const method = file.readUInt16LE(entry + 10);
  const packedBytes = file.readUInt32LE(entry + 20);
  const local = file.readUInt32LE(entry + 42);
  assertMark(file, local, LOCAL_BYTES, LOCAL_MARK);
  const start = local + LOCAL_BYTES + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const packed = file.subarray(start, start + packedBytes);
  if ((file.readUInt16LE(entry + 8) & 1) === 1) throw new Error("is encrypted.");
  if (method === STORED && packed.length <= maxBytes) return packed;
  if (method !== DEFLATED) throw new Error(method === STORED ? "is too large unpacked." : "is a damaged archive.");
  if (maxBytes <= 0) throw new Error("is too large unpacked.");
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new Error(isTooLarge ? "is too large unpacked." : "is a damaged archive.", { cause: error });
  }
}

function pack(entries: Entry[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    // Version, flags, method, time and date, then the fields that both headers share.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(name.length, 22);
    pieces.push(uint32(LOCAL_MARK), shared, name, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(uint32(ENTRY_MARK), Buffer.from([20, 0]), shared, tail, name);
    offset += LOCAL_BYTES + name.length + data.length;
  }
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_MARK, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, piece) => sum + piece.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
