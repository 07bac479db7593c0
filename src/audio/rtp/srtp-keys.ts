import { createCipheriv, randomBytes } from "node:crypto";

/** The cipher suites of RFC 4568 that trunks use. */
export type SrtpSuite = "AES_CM_128_HMAC_SHA1_80" | "AES_CM_128_HMAC_SHA1_32";

const KEY_BYTES = 16;
const SALT_BYTES = 14;
const AUTH_KEY_BYTES = 20;
/** The master key and master salt as SDES carries them, one after the other. */
export const SRTP_MASTER_BYTES = KEY_BYTES + SALT_BYTES;

/** The keys of one direction of one protocol. */
export interface SessionKeys {
  cipherKey: Buffer;
  authKey: Buffer;
  salt: Buffer;
}

/** Derives SRTP's (first label 0) or SRTCP's (first label 3) keys from the master key (RFC 3711, section 4.3). */
export function deriveSessionKeys(master: Uint8Array, protocol: "SRTP" | "SRTCP"): SessionKeys {
  if (master.length !== SRTP_MASTER_BYTES) throw new RangeError(`A master key has ${SRTP_MASTER_BYTES} bytes.`);
  const label = protocol === "SRTP" ? 0 : 3;
  return {
    cipherKey: deriveBytes(master, label, KEY_BYTES),
    authKey: deriveBytes(master, label + 1, AUTH_KEY_BYTES),
    salt: deriveBytes(master, label + 2, SALT_BYTES),
  };
}

function deriveBytes(master: Uint8Array, label: number, count: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.set(master.subarray(KEY_BYTES));
  counter[7] = (counter[7] as number) ^ label;
  return createCipheriv("aes-128-ctr", master.subarray(0, KEY_BYTES), counter).update(Buffer.alloc(count));
}

/** Creates a master key for our direction. */
export function createMasterKey(): Buffer {
  return randomBytes(SRTP_MASTER_BYTES);
}

/** One line of SDP's `a=crypto` (RFC 4568). */
export interface CryptoLine {
  tag: number;
  suite: SrtpSuite;
  master: Buffer;
}

/** Writes the value after `a=crypto:`. */
export function formatCryptoLine({ tag, suite, master }: CryptoLine): string {
  return `${tag} ${suite} inline:${master.toString("base64")}`;
}

/**
 * Reads the value after `a=crypto:`; null for an unknown suite, key form or session parameter, which by the standard
 * makes the line one to skip. A lifetime is understood, a key identifier (MKI) is not.
 */
export function parseCryptoLine(value: string): CryptoLine | null {
  const match =
    /^(\d{1,9}) (AES_CM_128_HMAC_SHA1_(?:80|32)) inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^)?\d{1,15})?\s*$/.exec(value);
  if (!match) return null;
  const [, tag, suite, key] = match;
  return { tag: Number(tag), suite: suite as SrtpSuite, master: Buffer.from(key as string, "base64") };
}
