import type pg from "pg";
import { deriveKey, idOfKey, type KeyRing } from "#src/platform/kernel/key-ring.ts";
import { openOrNull, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";

/** Beginning of the names of the settings that hold former keys; the id of the secret follows. */
const NAME = "recordings_key ";

/** Former keys of recordings, which a rotation of the secret seals with the new one. */
export const FORMER_RECORDING_KEYS: SealedColumn = {
  what: "keys of recordings",
  table: "settings",
  key: { name: "text" },
  read: `case when name like '${NAME}%' then value end`,
  write: (parameter) => `value = ${parameter}`,
  place: ({ name = "" }) => name,
};

/**
 * Keys of sealed recordings. Each secret has one, derived from it. Files are not sealed anew when the secret changes: the
 * database keeps the key of each former secret, sealed with the present one.
 */
export class RecordingKeys {
  readonly #keys: KeyRing;
  readonly #derived = new Map<string, Uint8Array>();
  #former: Uint8Array[] = [];

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  /** The key of new files. */
  get current(): Uint8Array {
    return this.#derive(this.#keys.current);
  }

  /** All keys, first the one of new files. */
  get all(): Uint8Array[] {
    return [...this.#keys.all.map((key) => this.#derive(key)), ...this.#former];
  }

  /** Loads the keys of former secrets. One that does not open is left out. */
  async load(pool: Pick<pg.Pool, "query">, box: SecretBox): Promise<void> {
    const { rows } = await pool.query<{ name: string; value: Buffer }>(
      "select name, value from settings where name like $1",
      [`${NAME}%`],
    );
    this.#former = rows.flatMap(({ name, value }) => {
      const key = openOrNull(box, value, name);
      return key === null ? [] : [new Uint8Array(Buffer.from(key, "hex"))];
    });
  }

  #derive(masterKey: Buffer): Uint8Array {
    const id = idOfKey(masterKey);
    const key = this.#derived.get(id) ?? deriveRecordingKey(masterKey);
    this.#derived.set(id, key);
    return key;
  }
}

/** Returns the setting that keeps the key of a former secret, sealed with the new one. */
export function keepRecordingKey(former: Buffer, box: SecretBox): { name: string; value: Buffer } {
  const name = NAME + idOfKey(former);
  return { name, value: box.seal(Buffer.from(deriveRecordingKey(former)).toString("hex"), name) };
}

function deriveRecordingKey(masterKey: Buffer): Uint8Array {
  return new Uint8Array(deriveKey(masterKey, "parley recordings key"));
}
