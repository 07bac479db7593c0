import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deriveKey, idOfKey, type KeyRing } from "./key-ring.ts";

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

/** Creates a box that seals with the current key of a ring, and opens what any of its keys sealed. */
export function createSecretBox(keys: KeyRing): SecretBox {
  const derived = new Map<string, { key: Buffer; head: Buffer }>();
  const find = (id: string) => {
    const masterKey = keys.find(id);
    if (!masterKey) throw new SecretBoxError("OTHER_KEY");
    const known = derived.get(id) ?? {
      key: deriveKey(masterKey, "parley secret box key"),
      head: Buffer.concat([Buffer.of(VERSION), Buffer.from(idOfKey(masterKey), "hex")]),
    };
    derived.set(id, known);
    return known;
  };
  return {
    seal(plain, aad) {
      const { key, head } = find(keys.currentId);
      return seal(key, head, plain, aad);
    },
    open(sealed, aad) {
      if (sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION)
        throw new SecretBoxError("DAMAGED");
      const { key, head } = find(keyIdOf(sealed));
      return open(key, head, sealed, aad);
    },
  };
}

/** Returns the id of the master key under which a value was sealed. */
export function keyIdOf(sealed: Buffer): string {
  return sealed.subarray(1, HEAD_BYTES).toString("hex");
}

const KEY_CHECK_TEXT = "parley";
const KEY_CHECK_PLACE = "key check";

/** Seals a known text. It is stored once, so that a later start can tell whether it has the same key. */
export function sealKeyCheck(box: SecretBox): Buffer {
  return box.seal(KEY_CHECK_TEXT, KEY_CHECK_PLACE);
}

/** True when `sealed`, made by `sealKeyCheck`, opens with this box; false with another key or when damaged. */
export function opensKeyCheck(box: SecretBox, sealed: Buffer): boolean {
  return openOrNull(box, sealed, KEY_CHECK_PLACE) === KEY_CHECK_TEXT;
}

/** Opens a sealed value; null when no known key opens it, or it was changed or sealed for another place. */
export function openOrNull(box: SecretBox, sealed: Buffer, place: string): string | null {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function seal(key: Buffer, head: Buffer, plain: string, aad: string): Buffer {
  // Random nonces of 96 bits are good for 2^32 secrets under one key (NIST SP 800-38D, 8.3).
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([head, Buffer.from(aad)]));
  return Buffer.concat([head, nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, head: Buffer, sealed: Buffer, aad: string): string {
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
