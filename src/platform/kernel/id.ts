import { hash, randomFillSync, randomInt } from "node:crypto";
import { nowMs as databaseNowMs } from "./clock.ts";

const HEX: string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Random bytes, drawn 4 KiB at a time: one draw for each id took 4 % of a request (measured). */
const pool = Buffer.alloc(4096);
let poolUsed = pool.length;

function drawRandom(bytes: number): Buffer {
  if (poolUsed + bytes > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += bytes;
  return Buffer.from(pool.subarray(poolUsed - bytes, poolUsed));
}

let lastMs = 0;
let sequence = 0;

/** A clock that goes back by more was corrected; a smaller step is smoothed out. */
const STEP_BACK_MS = 10_000;

/**
 * Returns a UUID version 7 (RFC 9562, section 5.7): time-ordered, so new rows land at the end of an index. Monotone
 * within this process: `rand_a` counts up inside one millisecond (section 6.2, method 1). The time is the database's,
 * because statements look for events by the time in their ids; when the clock is corrected, later ids follow it.
 */
export function uuidv7(atMs: number = databaseNowMs()): string {
  const ms = Math.floor(atMs);
  if (ms > lastMs || ms < lastMs - STEP_BACK_MS) {
    lastMs = ms;
    sequence = randomInt(0x400);
  } else if (++sequence > 0xfff) {
    lastMs++;
    sequence = 0;
  }
  const bytes = drawRandom(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes[6] = 0x70 | (sequence >> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  let text = "";
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += "-";
    text += HEX[bytes[i] as number];
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
