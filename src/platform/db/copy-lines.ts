import { writeUuidv7 } from "#src/platform/kernel/id.ts";

/** Time from which PostgreSQL counts. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const SIGNATURE = Buffer.from("PGCOPY\n\u00FF\r\n\0", "latin1");
const FLAGS_AND_EXTENSION = Buffer.alloc(8);
const END = Buffer.from([0xff, 0xff]);
const NULL_LENGTH = -1;
const FIRST_BYTES = 16 * 1024;

/** Values of hexadecimal digits by their characters. */
const HEX = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);

/**
 * Lines of a COPY in PostgreSQL's binary format (PostgreSQL 18, "COPY", "Binary Format"). It takes a sixth off the time
 * that PostgreSQL needs for a row of calls by text (16.8 us, measured), most of it for the ids. The caller writes the
 * fields of a line in the order of the statement's columns, each in the type of its column.
 */
export class CopyLines {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  /** Begins the first line of a COPY. */
  header(): void {
    this.raw(SIGNATURE);
    this.raw(FLAGS_AND_EXTENSION);
  }

  /** Ends the COPY after its last line. */
  trailer(): void {
    this.raw(END);
  }

  /** Begins a line of so many fields. */
  begin(fields: number): void {
    this.#makeRoom(2);
    this.#length = this.#bytes.writeInt16BE(fields, this.#length);
  }

  /** Writes bytes that were made before, such as fields that all lines share. */
  raw(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a field of type text or json. */
  text(value: string | null): void {
    if (value === null) return this.#int32(NULL_LENGTH);
    this.#makeRoom(4 + 3 * value.length);
    const written = this.#bytes.write(value, this.#length + 4);
    this.#bytes.writeInt32BE(written, this.#length);
    this.#length += 4 + written;
  }

  /** Writes a field of type integer. */
  integer(value: number | null): void {
    if (value === null) return this.#int32(NULL_LENGTH);
    this.#int32(4);
    this.#int32(value);
  }

  /** Writes a field of type timestamptz. */
  time(ms: number): void {
    this.#int32(8);
    this.#makeRoom(8);
    this.#length = this.#bytes.writeBigInt64BE(1_000n * BigInt(Math.round(ms - EPOCH_MS)), this.#length);
  }

  /** Writes a field of type uuid, from its 36 characters in lower case. */
  uuid(value: string | null): void {
    if (value === null) return this.#int32(NULL_LENGTH);
    this.#int32(16);
    this.#makeRoom(16);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < 36; i += 2) {
      if (i === 8 || i === 13 || i === 18 || i === 23) i++;
      const high = HEX[value.charCodeAt(i)] as number;
      bytes[at++] = (high << 4) | (HEX[value.charCodeAt(i + 1)] as number);
    }
    this.#length = at;
  }

  /** Writes a field of type uuid, from its 16 bytes in others. */
  id(bytes: Buffer, start: number): void {
    this.#int32(16);
    this.#makeRoom(16);
    this.#length += bytes.copy(this.#bytes, this.#length, start, start + 16);
  }

  /** Writes a field of type uuid, a new id. */
  newId(): void {
    this.#int32(16);
    this.#makeRoom(16);
    writeUuidv7(this.#bytes, this.#length);
    this.#length += 16;
  }

  /** Returns what was written since the last time; the bytes are the caller's. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(this.#bytes.length);
    this.#length = 0;
    return taken;
  }

  #int32(value: number): void {
    this.#makeRoom(4);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
