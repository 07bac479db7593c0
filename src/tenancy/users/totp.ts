import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Parameters that every authenticator app takes: HMAC-SHA-1, six digits, half a minute (RFC 6238). */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;
/** Steps that the person's clock may be ahead or behind. */
const DRIFT = 1;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns a new secret in base32 (RFC 4648), as people type it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** Returns the address of a secret that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return `otpauth://totp/Parley:${encodeURIComponent(email)}?secret=${secret}&issuer=Parley`;
}

/** Returns the code of a time step. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  // Dynamic truncation (RFC 4226 section 5.3).
  const at = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(at) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** Returns the time step of a moment. */
export function stepAt(ms: number): number {
  return Math.floor(ms / 1_000 / STEP_SECONDS);
}

/** Returns the step whose code this is, of the present one and its neighbours; null when it is none of them. */
export function findStepOf(secret: string, code: string, ms: number): number | null {
  const present = stepAt(ms);
  let found: number | null = null;
  for (let step = present - DRIFT; step <= present + DRIFT; step++) {
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}

/** True for a text that has the form of a code. */
export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
