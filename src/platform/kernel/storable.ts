/** Escapes that JSON.stringify writes for a NUL and for half of a surrogate pair. */
const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** Returns a text that PostgreSQL accepts: without NUL, and with U+FFFD for each half of a surrogate pair. */
export function toStorableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/**
 * Returns a value as JSON text that PostgreSQL accepts, cleaning member names too. Output of models, tools and STT is
 * untrusted, and one such character would make the database refuse the whole statement. Do not use it for data that
 * must be kept byte for byte.
 */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(clean(JSON.parse(text))) : text;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [toStorableText(name), clean(inner)]));
}
