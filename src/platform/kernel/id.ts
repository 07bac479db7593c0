import { hash, randomFillSync, randomInt } from "node:crypto";
import { nowMs as databaseNowMs } from "./clock.ts";

const HEX: string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Bytes of a UUID after its time and its counter. */
const RANDOM_BYTES = 8;
/** Random bytes, drawn 4 KiB at a time: one draw for each id took 4 % of a request (measured). */
const pool = new Uint8Array(4096);
let poolUsed = pool.length;

let lastMs = 0;
let sequence = 0;

/** A clock that goes back by more was corrected; a smaller step is smoothed out. */
const STEP_BACK_MS = 10_000;

function countUp(atMs: number): void {
  const ms = Math.floor(atMs);
  if (ms > lastMs || ms < lastMs - STEP_BACK_MS) {
    lastMs = ms;
    sequence = randomInt(0x400);
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
}

/** Writes a new id, as `uuidv7` returns it, as the 16 bytes from `start` on. */
export function writeUuidv7(bytes: Uint8Array, start: number, atMs: number = databaseNowMs()): void {
  countUp(atMs);
  if (poolUsed + RANDOM_BYTES > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const high = Math.floor(lastMs / 2 ** 32);
  bytes[start] = high >> 8;
  bytes[start + 1] = high;
  bytes[start + 2] = lastMs >>> 24;
  bytes[start + 3] = lastMs >>> 16;
  bytes[start + 4] = lastMs >>> 8;
  bytes[start + 5] = lastMs;
  bytes[start + 6] = 0x70 | (sequence >> 8);
  bytes[start + 7] = sequence;
  bytes[start + 8] = 0x80 | ((pool[poolUsed] as number) & 0x3f);
  for (let i = 1; i < RANDOM_BYTES; i++) bytes[start + 8 + i] = pool[poolUsed + i] as number;
  poolUsed += RANDOM_BYTES;
}

const latest = new Uint8Array(16);

/**
 * Returns a UUID version 7 (RFC 9562, section 5.7): time-ordered, so new rows land at the end of an index. Monotone
 * within this process: `rand_a` counts up inside one millisecond (section 6.2, method 1). The time is the database's,
 * because statements look for events by the time in their ids; when the clock is corrected, later ids follow it.
 */
export function uuidv7(atMs: number = databaseNowMs()): string {
  writeUuidv7(latest, 0, atMs);
  let text = "";
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
    text += HEX[latest[i] as number];
  }
  return text;
}

/** Returns the time in a UUID version 7, in milliseconds since 1970. */
export function timeOfUuid(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The UUID of all zeros: no id, and less than every id. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The last millisecond that fits into an id. */
const LAST_MS = 2 ** 48 - 1;

/** Returns the lowest id of version 7 at a time, in milliseconds since 1970. */
export function lowestIdAt(atMs: number): string {
  const hex = Math.min(Math.max(0, atMs), LAST_MS).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** True for the plain 36-character form of a UUID of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns random text of [0-9A-Za-z]. Secrets use nothing else, because OAuth clients differ in how they encode other
 * characters in Basic credentials.
 */
export function randomText(length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text;
}

/**
 * Returns the SHA-256 of a text. Enough for secrets of 30 random characters: they cannot be guessed from the digest.
 */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
