import { asObject } from "#src/platform/kernel/json-object.ts";

/** A carrier's longest message is some 2 KB; 200 ms of audio make 40 KB at worst. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_PARAMETERS = 64;
const MAX_PARAMETER_LENGTH = 2_000;
const MAX_NAME_LENGTH = 500;

/** Returns the value as a non-empty text of bounded length, or null. */
export function asText(value: unknown): string | null {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME_LENGTH ? value : null;
}

/** Returns the value as a whole number from 0 to 2^31, which carriers send as a text or a number; or null. */
export function asCount(value: unknown): number | null {
  if (typeof value === "string" && !/^\d{1,10}$/.test(value)) return null;
  const count = typeof value === "string" ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= 2 ** 31 ? count : null;
}

/** Returns the value as a key of a telephone, or null. */
export function asKey(value: unknown): string | null {
  return typeof value === "string" && /^[0-9*#A-D]$/i.test(value) ? value.toUpperCase() : null;
}

/** Returns texts by name, from an object or a list of names and values; drops values that are not short texts. */
export function asParameters(value: unknown): Record<string, string> {
  const entries = Array.isArray(value)
    ? value.map((item) => [asObject(item)?.["name"], asObject(item)?.["value"]])
    : Object.entries(asObject(value) ?? {});
  const kept = entries
    .filter(([name, text]) => asText(name) && typeof text === "string" && text.length <= MAX_PARAMETER_LENGTH)
    .slice(0, MAX_PARAMETERS);
  return Object.fromEntries(kept) as Record<string, string>;
}
