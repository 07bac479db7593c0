import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { BackupError } from "./backup-error.ts";
import type { Stored } from "./manifest.ts";

const LINE_END = 10;

/** Measures a stream of lines that passes through it. */
export class Meter {
  readonly #hash = createHash("sha256");
  #rows = 0;
  #bytes = 0;

  /** Passes the pieces of a stream on. */
  async *pass(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.length;
      for (let at = piece.indexOf(LINE_END); at !== -1; at = piece.indexOf(LINE_END, at + 1)) this.#rows++;
      yield piece;
    }
  }

  /** Returns lines, bytes and SHA-256 of what has passed; call it once, at the end. */
  read(): { rows: number; bytes: number; sha256: string } {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** Writes a stream of lines to a new compressed file, flushed to the disk, and returns its measures. */
export async function storeStream(path: string, pieces: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Stored> {
  const meter = new Meter();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(pieces, (source: AsyncIterable<Buffer>) => meter.pass(source), createZstdCompress(), file, { signal });
  return { ...meter.read(), fileBytes: (await stat(path)).size };
}

/** Passes the content of a compressed file to `take`. Throws a BackupError when it is not what the manifest says. */
export async function readStored(
  path: string,
  stored: Stored,
  take: (pieces: AsyncIterable<Buffer>) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const meter = new Meter();
  try {
    await pipeline(
      createReadStream(path),
      createZstdDecompress(),
      (source: AsyncIterable<Buffer>) => meter.pass(source),
      take,
      { signal },
    );
  } catch (error) {
    throw unreadable(path, toError(error));
  }
  const found = { ...meter.read(), fileBytes: (await stat(path)).size };
  const wrong = (Object.keys(found) as (keyof Stored)[]).find((name) => found[name] !== stored[name]);
  if (wrong !== undefined)
    throw new BackupError(`${path} was changed: its ${WORDS[wrong]} ${found[wrong]} instead of ${stored[wrong]}.`);
}

const WORDS: Record<keyof Stored, string> = {
  rows: "rows are",
  bytes: "bytes are",
  sha256: "SHA-256 is",
  fileBytes: "size is",
};

function unreadable(path: string, error: Error): Error {
  const code = codeOf(error) ?? "";
  if (code === "ENOENT") return new BackupError(`${path} is missing.`);
  if (code === "Z_BUF_ERROR") return new BackupError(`${path} is cut off.`);
  if (/^Z(STD)?_/.test(code)) return new BackupError(`${path} is damaged: ${error.message}.`);
  return error;
}
