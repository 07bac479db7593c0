import { createHmac } from "node:crypto";

const STEP_MS = 30_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the code of an authenticator app, computed from RFC 4226 and RFC 6238 without the service's code. */
export function appCode(secret: string, ms: number): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.from(
    Math.floor(ms / STEP_MS)
      .toString(16)
      .padStart(16, "0"),
    "hex",
  );
  const digest = createHmac("sha1", key).update(counter).digest();
  const at = (digest[19] as number) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
