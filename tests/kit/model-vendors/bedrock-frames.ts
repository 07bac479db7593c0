import { crc32 } from "node:zlib";

type Json = Record<string, unknown>;

const TEXT = 7;

/**
 * Returns an event in the binary framing of AWS (application/vnd.amazon.eventstream), one character a byte: two
 * lengths, a checksum of them, headers, payload, and a checksum of all.
 */
export function toFrame(type: string, payload: Json, kind: "event" | "exception" = "event"): string {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(lengths.length + 4 + headers.length + body.length + 4, 0);
  lengths.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([lengths, checksum(lengths), headers, body]);
  return Buffer.concat([message, checksum(message)]).toString("latin1");
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  const named = Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
  return Buffer.concat([named, Buffer.from([TEXT]), length, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** A tool call of a model. */
interface FramedCall {
  id: string;
  name: string;
  /** Input as JSON text, in the pieces in which it is streamed. */
  input: string[];
}

/** Returns a streamed answer of the Converse API as frames. */
export function converseFrames(texts: string[], calls: FramedCall[], usage: Json): string[] {
  const delta = (contentBlockIndex: number, part: Json) =>
    toFrame("contentBlockDelta", { contentBlockIndex, delta: part });
  const stop = (contentBlockIndex: number) => toFrame("contentBlockStop", { contentBlockIndex });
  const spoken = texts.length === 0 ? [] : [...texts.map((text) => delta(0, { text })), stop(0)];
  const called = calls.flatMap(({ id, name, input }, i) => [
    toFrame("contentBlockStart", { contentBlockIndex: i + 1, start: { toolUse: { toolUseId: id, name } } }),
    ...input.map((piece) => delta(i + 1, { toolUse: { input: piece } })),
    stop(i + 1),
  ]);
  return [
    toFrame("messageStart", { role: "assistant" }),
    ...spoken,
    ...called,
    toFrame("messageStop", { stopReason: calls.length > 0 ? "tool_use" : "end_turn" }),
    toFrame("metadata", { usage, metrics: { latencyMs: 5 } }),
  ];
}
