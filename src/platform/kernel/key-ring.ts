import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;
const ID_BYTES = 4;

/** Derives a key from the master key, for the use that `label` names (RFC 5869). */
export function deriveKey(masterKey: Uint8Array, label: string, bytes = KEY_BYTES): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "", label, bytes));
}

/** Returns the id of a master key, which reveals nothing of it: 8 hexadecimal digits. */
export function idOfKey(masterKey: Uint8Array): string {
  return deriveKey(masterKey, "parley secret box id", ID_BYTES).toString("hex");
}

/**
 * The master keys that a process knows: one seals, all open. There are two of them while an installation changes its
 * secret (docs/secret.md), and the database says which one seals.
 */
export class KeyRing {
  readonly #keys = new Map<string, Buffer>();
  #currentId: string;

  /** The first key seals until `use` says otherwise. Throws for a key with fewer than 32 bytes. */
  constructor(current: Buffer, ...others: Buffer[]) {
    this.#currentId = this.add(current);
    for (const key of others) this.add(key);
  }

  /** Id of the key that seals. */
  get currentId(): string {
    return this.#currentId;
  }

  /** The key that seals. */
  get current(): Buffer {
    return this.#keys.get(this.#currentId) as Buffer;
  }

  /** Ids of all keys. */
  get ids(): string[] {
    return [...this.#keys.keys()];
  }

  /** All keys, first the one that seals. */
  get all(): Buffer[] {
    return [...new Set([this.current, ...this.#keys.values()])];
  }

  /** Returns the key with this id. */
  find(id: string): Buffer | undefined {
    return this.#keys.get(id);
  }

  /** Adds a key that opens; returns its id. */
  add(masterKey: Buffer): string {
    if (masterKey.length < KEY_BYTES) throw new Error(`The key-encryption key must have at least ${KEY_BYTES} bytes.`);
    const id = idOfKey(masterKey);
    this.#keys.set(id, masterKey);
    return id;
  }

  /** Seals with this key from now on; false when it is not known. */
  use(id: string): boolean {
    if (!this.#keys.has(id)) return false;
    this.#currentId = id;
    return true;
  }

  /** Forgets all keys but the one that seals. */
  forgetOthers(): void {
    for (const id of this.ids) if (id !== this.#currentId) this.#keys.delete(id);
  }
}
