import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { PassThrough, Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy from "@fastify/busboy";
import { makeFolder } from "#src/platform/files/folder.ts";
import { within } from "#src/platform/kernel/async.ts";
import { AppError, fieldError, toError } from "#src/platform/kernel/errors.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import type { SpoolRoom, SpoolShare } from "./spool-room.ts";
import { ToUtf8 } from "./to-utf8.ts";

const MAX_PAYLOAD_BYTES = 1024 * 1024;
/** An upload whose bytes wait for the disk for so long is given up. */
const STALL_MS = 10_000;
const LOOK_MS = 1_000;
const SLOW_DISK = "The disk of this server does not answer. Try again in a moment.";

/** Rules for receiving an upload. */
export interface UploadRules {
  /** Room on the disk that it is written to. */
  room: SpoolRoom;
  /** Workspace whose share of the room it takes. */
  caller: string;
  /** A larger one is a 413. */
  maxBytes: number;
  /** True converts UTF-16 with a byte order mark to UTF-8, and refuses anything that is not text. */
  text: boolean;
}

/** An upload on disk, under a generated name. `remove` deletes it. */
export interface Spooled {
  path: string;
  /** The sender's name for it: for display only, never a path. */
  fileName: string | null;
  /** As declared by the sender. */
  mediaType: string;
  bytes: number;
  /** Number of line breaks, which is at most one less than the lines. */
  lineBreaks: number;
  sha256: string;
  remove(): Promise<void>;
}

/**
 * Writes an upload to disk as it arrives, so that a slow sender holds neither memory nor a transaction. Throws as
 * `SpoolShare.take` does when the disk has no room for it.
 */
export async function spool(
  source: Readable,
  rules: UploadRules,
  part: { fileName: string | null; mediaType: string } = { fileName: null, mediaType: "" },
): Promise<Spooled> {
  const { folder } = rules.room;
  // A source that fails before it is read keeps its error for the pipeline.
  source.on("error", () => undefined);
  await openFolder(folder);
  const path = join(folder, randomText(24));
  const share = rules.room.open(rules.caller);
  const remove = async () => {
    await rm(path, { force: true });
    share.give();
  };
  const meter = new Meter(rules, share);
  const stall = new AbortController();
  const file = createWriteStream(path, { mode: 0o600, flags: "wx" });
  const watch = watchWrites(file, meter, () => stall.abort());
  try {
    const streams = rules.text ? [source, new ToUtf8(), meter, file] : [source, meter, file];
    await pipeline(streams, { signal: stall.signal });
  } catch (error) {
    // On a disk that hangs, the file is deleted when it answers again.
    const removing = remove();
    if (stall.signal.aborted) throw new AppError("UNAVAILABLE", SLOW_DISK);
    await removing;
    throw error;
  } finally {
    clearInterval(watch);
  }
  return { ...part, path, bytes: meter.bytes, lineBreaks: meter.lineBreaks, sha256: meter.digest(), remove };
}

async function openFolder(folder: string): Promise<void> {
  const isMade = await within(
    makeFolder(folder).then(() => true),
    STALL_MS,
  );
  if (!isMade) throw new AppError("UNAVAILABLE", SLOW_DISK);
}

/** Calls back when a file takes none of the bytes that arrived for it for a while. */
function watchWrites(file: WriteStream, meter: Meter, onStall: () => void): NodeJS.Timeout {
  let written = 0;
  let since = performance.now();
  return setInterval(() => {
    if (file.bytesWritten === meter.bytes || file.bytesWritten !== written) since = performance.now();
    written = file.bytesWritten;
    if (performance.now() - since >= STALL_MS) onStall();
  }, LOOK_MS);
}

/** Reads a spooled upload back in pieces of `pieceBytes`; the last may be shorter. */
export function openSpooled(spooled: Spooled, pieceBytes = 1024 * 1024): AsyncIterable<Buffer> {
  return createReadStream(spooled.path, { highWaterMark: pieceBytes });
}

class Meter extends Transform {
  bytes = 0;
  lineBreaks = 0;
  readonly #rules: UploadRules;
  readonly #share: SpoolShare;
  readonly #hash = createHash("sha256");
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  constructor(rules: UploadRules, share: SpoolShare) {
    super();
    this.#rules = rules;
    this.#share = share;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#rules.maxBytes) return done(new AppError("PAYLOAD_TOO_LARGE"));
    this.#share.take(chunk.length).then(() => this.#pass(chunk, done), done);
  }

  #pass(chunk: Buffer, done: (error?: Error | null, data?: Buffer) => void): void {
    this.#hash.update(chunk);
    if (!this.#rules.text) return done(null, chunk);
    if (chunk.includes(0))
      return done(
        fieldError("file", "NUL_CHARACTER", "holds a NUL character; send UTF-8, or UTF-16 with a byte order mark."),
      );
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lineBreaks++;
    this.#check(chunk, true, (error) => done(error, chunk));
  }

  override _flush(done: (error?: Error | null) => void): void {
    if (this.#rules.text) this.#check(new Uint8Array(), false, done);
    else done();
  }

  digest(): string {
    return this.#hash.digest("hex");
  }

  #check(chunk: Uint8Array, stream: boolean, done: (error?: Error | null) => void): void {
    try {
      this.#decoder.decode(chunk, { stream });
      done(null);
    } catch {
      done(fieldError("file", "ENCODING", "is not UTF-8 text, nor UTF-16 with a byte order mark: save it as UTF-8."));
    }
  }
}

/** A multipart upload: the file on disk, and the text of the `payload` part. */
export interface MultipartUpload {
  file: Spooled;
  payload: string | null;
}

/**
 * Reads multipart/form-data with one `file` and at most one `payload`, as a field or as a file of its own, in any order
 * (RFC 7578).
 */
export async function readMultipart(
  headers: IncomingHttpHeaders,
  source: Readable,
  rules: UploadRules,
): Promise<MultipartUpload> {
  const parts: { file?: Promise<Spooled>; content?: Readable; small?: Promise<void>; payload: string | null } = {
    payload: null,
  };
  const faults: AppError[] = [];
  const parser = openParser(headers, rules.maxBytes);
  const takePayload = (text: string | null): void => {
    if (text === null) faults.push(fieldError("payload", "TOO_LARGE", "must be at most 1 MiB of UTF-8."));
    else if (parts.payload !== null) faults.push(fieldError("payload", "UNEXPECTED_PART", "came twice."));
    else parts.payload = text.replace(/^\uFEFF/, "");
  };
  parser.on("file", (name, stream, fileName, _encoding, mediaType) => {
    if (name === "payload" && !parts.small) {
      parts.small = readSmallPart(stream).then(takePayload);
      return;
    }
    if (name !== "file" || parts.file) {
      faults.push(fieldError(name, "UNEXPECTED_PART", "is not expected; send one part named file."));
      stream.resume();
      return;
    }
    // A pipeline that fails destroys its source, and busboy waits forever for a part that was destroyed unread.
    const copy = new PassThrough();
    parts.content = copy;
    stream.on("error", (error) => copy.destroy(error)).pipe(copy);
    const spooled = spool(copy, rules, { fileName: fileName || null, mediaType });
    spooled.catch(() => stream.unpipe().resume());
    parts.file = spooled;
  });
  parser.on("field", (name, value, _nameCut, valueCut) => {
    if (name === "payload") takePayload(valueCut ? null : value);
    else if (name === "file")
      faults.push(fieldError(name, "UNEXPECTED_PART", "came as a text: its part needs a filename, as any file's."));
    else faults.push(fieldError(name, "UNEXPECTED_PART", "is not expected."));
  });
  parser.on("partsLimit", () => faults.push(fieldError("file", "TOO_MANY_PARTS", "came with too many other parts.")));
  try {
    await pipeline(source, parser);
  } catch (error) {
    // A form that breaks off leaves its file's stream open, and with it the file.
    parts.content?.destroy(toError(error));
    await (await parts.file?.catch(() => undefined))?.remove();
    throw error instanceof AppError ? error : new AppError("INVALID_BODY", "The multipart body cannot be read.");
  }
  const file = await parts.file;
  await parts.small;
  const [fault] = faults;
  if (fault) {
    await file?.remove();
    throw fault;
  }
  if (!file) throw fieldError("file", "REQUIRED", "is required as a part of the form.");
  return { file, payload: parts.payload };
}

/** Returns the text of a part that came as a file; null when it is too large or not UTF-8. Never rejects. */
async function readSmallPart(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= MAX_PAYLOAD_BYTES) chunks.push(chunk);
    }
    return bytes > MAX_PAYLOAD_BYTES ? null : strictUtf8.decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

function openParser(headers: IncomingHttpHeaders, maxBytes: number) {
  try {
    return new Busboy.Busboy({
      headers: headers as IncomingHttpHeaders & { "content-type": string },
      limits: {
        files: 3,
        fields: 2,
        parts: 4,
        fieldSize: MAX_PAYLOAD_BYTES,
        fileSize: maxBytes + 1,
        headerPairs: 50,
      },
    });
  } catch {
    throw new AppError("INVALID_HEADER", "Content-Type needs a multipart boundary.");
  }
}
