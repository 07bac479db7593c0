import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy from "@fastify/busboy";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import { randomText } from "#src/kernel/id.ts";

/** Bytes of a CSV (design section 4, "Sizes and times"). */
export const MAX_CSV_BYTES = 2 * 1024 ** 3;
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** An upload on disk, under a name of ours. `remove` deletes it. */
export interface Spooled {
  path: string;
  bytes: number;
  /** Line breaks, which is at most one less than the lines. */
  lineBreaks: number;
  sha256: string;
  remove(): Promise<void>;
}

/**
 * Writes an upload to disk as it comes, so that a slow sender holds no transaction open. Refuses bytes that are
 * not UTF-8 text before anything is created.
 */
export async function spool(source: Readable, folder: string): Promise<Spooled> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomText(24));
  const remove = () => rm(path, { force: true });
  const meter = new Meter();
  try {
    await pipeline(source, meter, createWriteStream(path, { mode: 0o600, flags: "wx" }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, bytes: meter.bytes, lineBreaks: meter.lineBreaks, sha256: meter.digest(), remove };
}

/** Reads a spooled upload back. */
export function openSpooled(spooled: Spooled): AsyncIterable<Buffer> {
  return createReadStream(spooled.path, { highWaterMark: 1024 * 1024 });
}

class Meter extends Transform {
  bytes = 0;
  lineBreaks = 0;
  readonly #hash = createHash("sha256");
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null, data?: Buffer) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_CSV_BYTES) return done(new AppError("PAYLOAD_TOO_LARGE"));
    if (chunk.includes(0)) return done(fieldError("file", "NUL_CHARACTER", "holds a NUL character; send UTF-8 text."));
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lineBreaks++;
    this.#hash.update(chunk);
    this.#check(chunk, true, (error) => done(error, chunk));
  }

  override _flush(done: (error?: Error | null) => void): void {
    this.#check(new Uint8Array(), false, done);
  }

  digest(): string {
    return this.#hash.digest("hex");
  }

  #check(chunk: Uint8Array, stream: boolean, done: (error?: Error | null) => void): void {
    try {
      this.#decoder.decode(chunk, { stream });
      done(null);
    } catch {
      done(fieldError("file", "ENCODING", "is not UTF-8 text."));
    }
  }
}

/** A multipart upload: the file on disk, and the text of the `payload` part. */
export interface MultipartUpload {
  file: Spooled;
  payload: string | null;
}

/** Reads multipart/form-data with one `file` and at most one `payload`, in any order (RFC 7578). */
export async function readMultipart(
  headers: IncomingHttpHeaders,
  source: Readable,
  folder: string,
): Promise<MultipartUpload> {
  const parts: { file?: Promise<Spooled>; payload: string | null } = { payload: null };
  const faults: AppError[] = [];
  const parser = openParser(headers);
  parser.on("file", (name, stream) => {
    if (name !== "file" || parts.file) {
      faults.push(fieldError(name, "UNEXPECTED_PART", "is not expected; send one part named file."));
      stream.resume();
      return;
    }
    parts.file = spool(stream, folder);
    parts.file.catch(() => stream.resume());
  });
  parser.on("field", (name, value, _nameCut, valueCut) => {
    if (name !== "payload" || parts.payload !== null)
      faults.push(fieldError(name, "UNEXPECTED_PART", "is not expected."));
    else if (valueCut) faults.push(fieldError("payload", "TOO_LARGE", "must be at most 1 MiB."));
    else parts.payload = value;
  });
  parser.on("partsLimit", () => faults.push(fieldError("file", "TOO_MANY_PARTS", "came with too many other parts.")));
  try {
    await pipeline(source, parser);
  } catch (error) {
    await (await parts.file?.catch(() => undefined))?.remove();
    throw error instanceof AppError ? error : new AppError("INVALID_BODY", "The multipart body cannot be read.");
  }
  const file = await parts.file;
  const [fault] = faults;
  if (fault) {
    await file?.remove();
    throw fault;
  }
  if (!file) throw fieldError("file", "REQUIRED", "is required as a part of the form.");
  return { file, payload: parts.payload };
}

function openParser(headers: IncomingHttpHeaders) {
  try {
    return new Busboy.Busboy({
      headers: headers as IncomingHttpHeaders & { "content-type": string },
      limits: {
        files: 2,
        fields: 2,
        parts: 4,
        fieldSize: MAX_PAYLOAD_BYTES,
        fileSize: MAX_CSV_BYTES + 1,
        headerPairs: 50,
      },
    });
  } catch {
    throw new AppError("INVALID_HEADER", "Content-Type needs a multipart boundary.");
  }
}
