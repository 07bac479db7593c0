/** File of a ZIP archive. */
export interface ZipEntry {
  name: string;
  data: Uint8Array<ArrayBuffer>;
  /** True: `data` is compressed (deflate); false: it is stored as it is. */
  isDeflated: boolean;
  /** CRC-32 and length of the file before compression. */
  crc: number;
  bytes: number;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 of bytes; `before` is that of the bytes before them. */
export function crc32Of(data: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of data) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** 1 January 1980, the first day that the format knows. */
const DAY = 0x21;
const VERSION = 20;

/** Returns the parts of a ZIP archive (APPNOTE 6.3, without ZIP64). */
export function storeZip(entries: ZipEntry[]): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name);
    const shared = [...half(VERSION), ...half(0), ...half(entry.isDeflated ? 8 : 0), ...half(0), ...half(DAY)];
    const sizes = [
      ...word(entry.crc),
      ...word(entry.data.length),
      ...word(entry.bytes),
      ...half(name.length),
      ...half(0),
    ];
    const head = Uint8Array.from([...word(0x04034b50), ...shared, ...sizes, ...name]);
    const rest = [...half(0), ...half(0), ...half(0), ...word(0), ...word(at)];
    directory.push(Uint8Array.from([...word(0x02014b50), ...half(VERSION), ...shared, ...sizes, ...rest, ...name]));
    parts.push(head, entry.data);
    at += head.length + entry.data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = half(entries.length);
  const end = [...word(0x06054b50), ...half(0), ...half(0), ...count, ...count, ...word(size), ...word(at), ...half(0)];
  return [...parts, ...directory, Uint8Array.from(end)];
}

function half(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff];
}

function word(value: number): number[] {
  return [...half(value & 0xffff), ...half(value >>> 16)];
}
