import { parseExactly, showExactly } from "#web/api/exact-json.ts";

/** A value as text for an editor; an unset one is an empty text. */
export function toJsonText(value: unknown): string {
  return value === null || value === undefined ? "" : showExactly(value);
}

/** What an editor holds; undefined when it is empty. Throws for what is no JSON. */
export function readJsonText(text: string): unknown {
  return text.trim() === "" ? undefined : parseExactly(text);
}

/** Says what keeps a text from being JSON; null when it is, or is empty. */
export function checkJsonText(text: string): string | null {
  try {
    readJsonText(text);
    return null;
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The same for what must be an object. */
export function checkJsonObject(text: string): string | null {
  const fault = checkJsonText(text);
  if (fault !== null) return fault;
  const value = readJsonText(text);
  const isObject = value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
  return isObject ? null : "Must be a JSON object: { … }";
}

/** The object that an editor holds; an empty one when it holds none. */
export function readJsonObject(text: string): Record<string, unknown> {
  return (readJsonText(text) ?? {}) as Record<string, unknown>;
}
