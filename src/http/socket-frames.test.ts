import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BINARY,
  CLOSE,
  type FrameError,
  FrameReader,
  PING,
  type SocketMessage,
  TEXT,
  writeFrame,
} from "./socket-frames.ts";

interface Sent {
  opcode: number;
  body: Uint8Array;
  isLast?: boolean;
}

/** A frame as a client writes it: masked. */
function clientFrame({ opcode, body, isLast = true }: Sent): Buffer {
  const plain = writeFrame(opcode, body);
  const head = Buffer.from(plain.subarray(0, plain.length - body.length));
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = (head[1] as number) | 0x80;
  const mask = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([head, mask, body.map((byte, i) => byte ^ (mask[i % 4] as number))]);
}

/** What a reader makes of bytes that come in pieces. */
function readAll(pieces: Buffer[], maxBytes = 100_000): SocketMessage[] {
  const reader = new FrameReader(maxBytes);
  const found: SocketMessage[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let message = reader.next(); message !== undefined; message = reader.next()) if (message) found.push(message);
  }
  return found;
}

function faultOf(bytes: Buffer, maxBytes?: number): number | undefined {
  try {
    readAll([bytes], maxBytes);
    return undefined;
  } catch (error) {
    return (error as FrameError).code;
  }
}

const sent = fc.record({
  opcode: fc.constantFrom(TEXT, BINARY),
  body: fc.uint8Array({ maxLength: 70_000, size: "max" }),
});

test("messages come out as they went in, wherever their bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 5 }), fc.integer({ min: 1, max: 5_000 }), (messages, step) => {
      const bytes = Buffer.concat(messages.map(clientFrame));
      const pieces: Buffer[] = [];
      for (let i = 0; i < bytes.length; i += step) pieces.push(bytes.subarray(i, i + step));
      const found = readAll(pieces);
      expect(found.map(({ opcode, body }) => [opcode, Buffer.compare(body, Buffer.alloc(0)) && body.length])).toEqual(
        messages.map(({ opcode, body }) => [opcode, body.length]),
      );
      found.forEach(({ body }, i) => expect(body.equals(messages[i]?.body ?? Buffer.alloc(0))).toBe(true));
    }),
    { numRuns: 60 },
  );
});

test("fragments are one message, with pings between them", () => {
  const found = readAll([
    clientFrame({ opcode: TEXT, body: Buffer.from("one "), isLast: false }),
    clientFrame({ opcode: PING, body: Buffer.from("?") }),
    clientFrame({ opcode: 0, body: Buffer.from("two"), isLast: true }),
  ]);
  expect(found.map(({ opcode, body }) => [opcode, body.toString()])).toEqual([
    [PING, "?"],
    [TEXT, "one two"],
  ]);
});

test("what no client may send names the code that ends the connection", () => {
  const body = Buffer.from("x");
  const unmasked = writeFrame(TEXT, body);
  const reserved = clientFrame({ opcode: TEXT, body });
  reserved[0] = (reserved[0] as number) | 0x40;
  const start = clientFrame({ opcode: TEXT, body, isLast: false });
  for (const bytes of [
    unmasked,
    reserved,
    clientFrame({ opcode: 3, body }),
    clientFrame({ opcode: 11, body }),
    clientFrame({ opcode: 0, body }),
    clientFrame({ opcode: PING, body, isLast: false }),
    clientFrame({ opcode: CLOSE, body: Buffer.alloc(126) }),
    Buffer.concat([start, start]),
  ]) {
    expect(faultOf(bytes)).toBe(1002);
  }
});

test("a message that is too big is refused by its head, in one piece or in many", () => {
  expect(faultOf(clientFrame({ opcode: BINARY, body: Buffer.alloc(101) }), 100)).toBe(1009);
  expect(faultOf(clientFrame({ opcode: BINARY, body: Buffer.alloc(100) }), 100)).toBeUndefined();
  const huge = Buffer.from([0x82, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255]);
  expect(faultOf(huge, 100)).toBe(1009);
  const part = { opcode: TEXT, body: Buffer.alloc(60), isLast: false };
  expect(faultOf(Buffer.concat([clientFrame(part), clientFrame({ ...part, opcode: 0 })]), 100)).toBe(1009);
  const empty = clientFrame({ opcode: 0, body: Buffer.alloc(0), isLast: false });
  const many = [clientFrame({ ...part, body: Buffer.alloc(0) }), ...Array.from({ length: 100 }, () => empty)];
  expect(faultOf(Buffer.concat(many))).toBe(1009);
});
