/** Opcodes of RFC 6455. */
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** Close codes of RFC 6455 that this side uses by itself. */
export const CLOSE_CODES = { NORMAL: 1000, GOING_AWAY: 1001, PROTOCOL: 1002, BAD_TEXT: 1007, TOO_BIG: 1009 } as const;

const MAX_CONTROL_BYTES = 125;
const MAX_FRAGMENTS = 64;

/** A frame, or a whole message: CLOSE, PING and PONG come between the fragments of TEXT and BINARY. */
export interface SocketMessage {
  opcode: number;
  body: Buffer;
}

/** What a client sent that no client may send, with the code that the connection is closed by. */
export class FrameError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "FrameError";
    this.code = code;
  }
}

interface Head {
  isLast: boolean;
  opcode: number;
  /** Bytes of the head. */
  size: number;
  length: number;
}

/** Reads the messages of a WebSocket's client out of the bytes as they come. Holds at most one message. */
export class FrameReader {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #opcode = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;

  constructor(maxMessageBytes: number) {
    this.#maxBytes = maxMessageBytes;
  }

  /** Adds bytes. */
  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /** The next frame: its message when that is whole, null when it is not yet, undefined when more bytes are needed. */
  next(): SocketMessage | null | undefined {
    const head = this.#readHead();
    if (!head || this.#bytes.length < head.size + head.length) return undefined;
    const mask = this.#bytes.subarray(head.size - 4, head.size);
    const body = Buffer.from(this.#bytes.subarray(head.size, head.size + head.length));
    for (let i = 0; i < body.length; i++) body[i] = (body[i] as number) ^ (mask[i & 3] as number);
    this.#bytes = this.#bytes.subarray(head.size + head.length);
    return head.opcode >= CLOSE ? { opcode: head.opcode, body } : this.#gather(head, body);
  }

  #readHead(): Head | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const [first, second] = [bytes[0] as number, bytes[1] as number];
    if ((first & 0x70) !== 0) throw protocolError("Extensions were not agreed on.");
    if ((second & 0x80) === 0) throw protocolError("A client masks its frames.");
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const size = 2 + lengthBytes + 4;
    if (bytes.length < 2 + lengthBytes) return undefined;
    const length =
      lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
    const head = { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, size, length };
    this.#assertHead(head);
    return bytes.length < size ? undefined : head;
  }

  #assertHead({ isLast, opcode, length }: Head): void {
    if (opcode >= CLOSE) {
      if (opcode > PONG || !isLast || length > MAX_CONTROL_BYTES) throw protocolError("This is no control frame.");
      return;
    }
    if (opcode > BINARY) throw protocolError("There is no such opcode.");
    if ((opcode === 0) !== this.#opcode > 0) throw protocolError("A fragment stands where it does not belong.");
    if (this.#partBytes + length > this.#maxBytes || this.#parts.length >= MAX_FRAGMENTS) {
      throw new FrameError(CLOSE_CODES.TOO_BIG, `A message has at most ${this.#maxBytes} bytes.`);
    }
  }

  #gather({ isLast, opcode }: Head, body: Buffer): SocketMessage | null {
    if (opcode !== 0) this.#opcode = opcode;
    this.#parts.push(body);
    this.#partBytes += body.length;
    if (!isLast) return null;
    const message = { opcode: this.#opcode, body: this.#parts.length === 1 ? body : Buffer.concat(this.#parts) };
    this.#opcode = 0;
    this.#parts = [];
    this.#partBytes = 0;
    return message;
  }
}

function protocolError(message: string): FrameError {
  return new FrameError(CLOSE_CODES.PROTOCOL, message);
}

/** One frame of a server, which is never masked. */
export function writeFrame(opcode: number, body: Uint8Array): Buffer {
  const { length } = body;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + extra + length);
  frame[0] = 0x80 | opcode;
  frame[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(body, 2 + extra);
  return frame;
}
