import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "#src/platform/kernel/errors.ts";
import { errorBody } from "./replies.ts";
import { Reply } from "./route.ts";

/** Byte positions from `start` up to, but not including, `end`. */
export interface ByteSpan {
  start: number;
  end: number;
}

/** Content of a known length that can be read in part. */
export interface ByteSource {
  byteLength: number;
  read(range?: ByteSpan): AsyncIterable<Uint8Array>;
}

/** Content and headers of a reply of bytes. */
export interface ByteContent {
  source: ByteSource;
  contentType: string;
  /** Quoted. Null where the content may differ the next time. */
  etag: string | null;
}

/**
 * Reads the part that a Range header asks for (RFC 9110, 14.1.2). Returns WHOLE when there is no header, when it cannot
 * be read or when it asks for several parts; NONE when it covers no byte of the content.
 */
export function readByteRange(header: string | undefined, byteLength: number): ByteSpan | "WHOLE" | "NONE" {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec((header ?? "").trim()) ?? [];
  if (from === "") {
    if (to === "") return "WHOLE";
    const count = Math.min(byteLength, Number(to));
    return count === 0 ? "NONE" : { start: byteLength - count, end: byteLength };
  }
  if (to !== "" && Number(to) < Number(from)) return "WHOLE";
  if (Number(from) >= byteLength) return "NONE";
  return { start: Number(from), end: to === "" ? byteLength : Math.min(byteLength, Number(to) + 1) };
}

/** Answers with the content, or with the part of it that the request asks for. */
export function replyWithBytes(content: ByteContent, headers: IncomingHttpHeaders, requestId: string): Reply {
  const { source, contentType, etag } = content;
  const { byteLength } = source;
  const isCurrent = headers["if-range"] === undefined || headers["if-range"] === etag;
  const range = readByteRange(isCurrent ? headers.range : undefined, byteLength);
  if (range === "NONE") {
    const error = errorBody(new AppError("RANGE_NOT_SATISFIABLE"), requestId);
    return new Reply(416, error, { "content-range": `bytes */${byteLength}` });
  }
  const { start, end } = range === "WHOLE" ? { start: 0, end: byteLength } : range;
  const body = Readable.from(source.read({ start, end }), { objectMode: false });
  const described: Record<string, string> = {
    "content-type": contentType,
    "content-length": String(end - start),
    "accept-ranges": "bytes",
    ...(etag === null ? {} : { etag }),
  };
  if (range === "WHOLE") return new Reply(200, body, described);
  return new Reply(206, body, { ...described, "content-range": `bytes ${start}-${end - 1}/${byteLength}` });
}
