import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { RECORDING_CHUNK_BYTES, writeAt, type RecordingSink } from "./recording-sink.ts";

/**
 * Format of a sealed recording: a preamble and a sequence of records, each sealed separately (AES-256-GCM), so that any
 * part can be read without the part before it:
 *
 *     magic (8) | salt (16) | bytes of the WAV header (4) | bytes of a chunk (4)
 *     record 0: nonce (12) | WAV header  | tag (16)
 *     record n: nonce (12) | chunk n - 1 | tag (16)
 *
 * The key is derived from the operator's key and the salt, so each key is used with few of the random nonces. The
 * associated data of a record names the file and the record's number, so records cannot be swapped.
 */
export const SEALED_MAGIC = Buffer.from("PLYREC1\n");
const SALT_BYTES = 16;
/** Bytes before the first record. */
export const PREAMBLE_BYTES = SEALED_MAGIC.length + SALT_BYTES + 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = "aes-256-gcm";
/** Bytes that a record has besides its content. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/** Positions of a file's records, and the key to them. */
export interface SealedLayout {
  preamble: Buffer;
  key: Buffer;
  headerBytes: number;
  chunkBytes: number;
}

/** Returns the position of a chunk's record. */
export function placeOfChunk({ headerBytes, chunkBytes }: SealedLayout, index: number): number {
  return PREAMBLE_BYTES + SEAL_BYTES + headerBytes + index * (SEAL_BYTES + chunkBytes);
}

/** Reads a preamble; null for other bytes. Throws a RangeError for a key that is not 32 bytes long. */
export function readPreamble(preamble: Buffer, masterKey: Uint8Array): SealedLayout | null {
  if (masterKey.length !== KEY_BYTES) throw new RangeError(`The key of recordings has ${KEY_BYTES} bytes.`);
  if (preamble.length !== PREAMBLE_BYTES || !preamble.subarray(0, SEALED_MAGIC.length).equals(SEALED_MAGIC))
    return null;
  const salt = preamble.subarray(SEALED_MAGIC.length, SEALED_MAGIC.length + SALT_BYTES);
  return {
    preamble,
    key: Buffer.from(hkdfSync("sha256", masterKey, salt, "parley recording", KEY_BYTES)),
    headerBytes: preamble.readUInt32BE(PREAMBLE_BYTES - 8),
    chunkBytes: preamble.readUInt32BE(PREAMBLE_BYTES - 4),
  };
}

/** Creates a sink whose recording only the key opens. The caller opens the file, empty, and closes it. */
export async function createSealedStore(
  file: FileHandle,
  headerBytes: number,
  masterKey: Uint8Array,
): Promise<RecordingSink> {
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  SEALED_MAGIC.copy(preamble);
  randomBytes(SALT_BYTES).copy(preamble, SEALED_MAGIC.length);
  preamble.writeUInt32BE(headerBytes, PREAMBLE_BYTES - 8);
  preamble.writeUInt32BE(RECORDING_CHUNK_BYTES, PREAMBLE_BYTES - 4);
  const layout = readPreamble(preamble, masterKey) as SealedLayout;
  await writeAt(file, preamble, 0);
  return {
    writeHeader: (header) => writeAt(file, sealRecord(layout, 0, header), PREAMBLE_BYTES),
    writeChunk: (index, bytes) => writeAt(file, sealRecord(layout, index + 1, bytes), placeOfChunk(layout, index)),
    sync: () => file.datasync(),
  };
}

function sealRecord(layout: SealedLayout, number: number, content: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, layout.key, nonce).setAAD(nameOf(layout, number));
  const sealed = cipher.update(content);
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
}

/** Opens a record. Throws when it was changed, belongs elsewhere, or the key does not match. */
export function openRecord(layout: SealedLayout, number: number, record: Buffer): Buffer {
  const nonce = record.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, layout.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(nameOf(layout, number)).setAuthTag(record.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(record.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

function nameOf({ preamble }: SealedLayout, number: number): Buffer {
  const name = Buffer.alloc(PREAMBLE_BYTES + 4);
  preamble.copy(name);
  name.writeUInt32BE(number, PREAMBLE_BYTES);
  return name;
}
