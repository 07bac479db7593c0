import { Transform } from "node:stream";
import { TextDecoder } from "node:util";
import { fieldError } from "#src/platform/kernel/errors.ts";

/** Byte order marks of UTF-16, which spreadsheets write in front of what they call Unicode text. */
const MARKS = [
  { bytes: Buffer.of(0xff, 0xfe), encoding: "utf-16le" },
  { bytes: Buffer.of(0xfe, 0xff), encoding: "utf-16be" },
] as const;

/** Converts UTF-16 with a byte order mark to UTF-8 without one; everything else passes unchanged. */
export class ToUtf8 extends Transform {
  /** The first bytes, while they are too few to decide. */
  #held: Buffer = Buffer.alloc(0);
  /** Null: no conversion. */
  #decoder: TextDecoder | null | undefined;

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null, data?: Uint8Array) => void): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.#decoder === undefined && this.#held.length < 2) return done();
    this.#decoder ??= decoderOf(this.#held);
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    this.#decode(bytes, true, done);
  }

  override _flush(done: (error?: Error | null, data?: Uint8Array) => void): void {
    this.#decode(this.#held, false, done);
  }

  #decode(bytes: Buffer, stream: boolean, done: (error?: Error | null, data?: Uint8Array) => void): void {
    try {
      done(null, this.#decoder ? Buffer.from(this.#decoder.decode(bytes, { stream })) : bytes);
    } catch {
      done(fieldError("file", "ENCODING", "begins like UTF-16 text, and is none."));
    }
  }
}

function decoderOf(head: Buffer): TextDecoder | null {
  const mark = MARKS.find(({ bytes }) => bytes.equals(head.subarray(0, 2)));
  return mark ? new TextDecoder(mark.encoding, { fatal: true }) : null;
}
