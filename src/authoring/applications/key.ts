import { Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";

/** The longest key. */
export const LONGEST_KEY = 63;

const PATTERN = `^[a-z][a-z0-9_-]{0,${LONGEST_KEY - 1}}$`;

/** Key that names an application or a store in paths and configuration. */
export const Key = Type.String({
  pattern: PATTERN,
  description: `Lower-case letters, digits, - and _, beginning with a letter; at most ${LONGEST_KEY}.`,
});

const KEY = new RegExp(PATTERN);

/** True for a text that can be a key. No other text names anything, and PostgreSQL refuses some of them. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** Refuses (422) a changed key: others use it in paths and configuration. Sending the same key is fine. */
export function assertSameKey(key: string, sent: string | undefined): void {
  if (sent !== undefined && sent !== key) throw fieldError("key", "FIXED", `is ${key} and cannot be changed.`);
}
