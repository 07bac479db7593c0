import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Stored form: version (1 byte), key id (4), nonce (12), ciphertext, tag (16). The tag covers the version and key id,
 * together with the caller's `aad`.
 */
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const CIPHER = "aes-256-gcm";

/** Reason why a sealed secret does not open: sealed with another key, or changed since. */
export type SecretBoxFault = "OTHER_KEY" | "DAMAGED";

/** A sealed secret that does not open. Its message reveals nothing of the content. */
export class SecretBoxError extends Error {
  readonly fault: SecretBoxFault;

  constructor(fault: SecretBoxFault) {
    super(fault === "OTHER_KEY" ? "The secret was sealed with another key." : "The sealed secret was changed.");
    this.name = "SecretBoxError";
    this.fault = fault;
  }
}

/** Seals and opens small secrets. */
export interface SecretBox {
  /**
   * Encrypts a text for one place, named by `aad` (such as `workspace|table|column|id`): copied to another place, it
   * does not open.
   */
  seal(plain: string, aad: string): Buffer;
  /** Decrypts a sealed text. Throws a SecretBoxError for another key, another place or any changed bit. */
  open(sealed: Buffer, aad: string): string;
}

/** Creates a box for the key-encryption key, which may be of any length from 32 bytes up. */
export function createSecretBox(masterKey: Buffer): SecretBox {
  if (masterKey.length < 32) throw new Error("The key-encryption key must have at least 32 bytes.");
  const key = derive(masterKey, "parley secret box key", 32);
  const head = Buffer.concat([Buffer.of(VERSION), derive(masterKey, "parley secret box id", KEY_ID_BYTES)]);
  return {
    seal: (plain, aad) => seal(key, head, plain, aad),
    open: (sealed, aad) => open(key, head, sealed, aad),
  };
}

const KEY_CHECK_TEXT = "parley";
const KEY_CHECK_PLACE = "key check";

/** Seals a known text. It is stored once, so that a later start can tell whether it has the same key. */
export function sealKeyCheck(box: SecretBox): Buffer {
  return box.seal(KEY_CHECK_TEXT, KEY_CHECK_PLACE);
}

/** True when `sealed`, made by `sealKeyCheck`, opens with this box; false with another key or when damaged. */
export function opensKeyCheck(box: SecretBox, sealed: Buffer): boolean {
  try {
    return box.open(sealed, KEY_CHECK_PLACE) === KEY_CHECK_TEXT;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

/** Derives a key from the master key. Keys for other uses can be derived under other labels (RFC 5869). */
function derive(masterKey: Buffer, label: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "", label, bytes));
}

function seal(key: Buffer, head: Buffer, plain: string, aad: string): Buffer {
  // Random nonces of 96 bits are good for 2^32 secrets under one key (NIST SP 800-38D, 8.3).
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, Buffer.from(aad)]));
  return Buffer.concat([head, nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, head: Buffer, sealed: Buffer, aad: string): string {
  if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION)
    throw new SecretBoxError("DAMAGED");
  if (!sealed.subarray(0, HEAD_BYTES).equals(head)) throw new SecretBoxError("OTHER_KEY");
  const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([head, Buffer.from(aad)]));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const body = sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch {
    throw new SecretBoxError("DAMAGED");
  }
}
