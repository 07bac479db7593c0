/** Translation of a message; one that counts has a form for each of the language's plurals that differs from `other`. */
export type Translation = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** Translations by English message, as the files have them, or by its short key, as the built page does. */
export type Catalogue = Record<string, Translation>;

/** Returns the short key of a message: its FNV-1a hash, a tenth of the bytes. */
export function keyOf(message: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < message.length; i++) hash = Math.imul(hash ^ message.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns a catalogue with short keys. */
export function shortenKeys(translations: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(translations).map(([message, text]) => [keyOf(message), text]));
}
