import { parseExactly, showExactly } from "#web/api/exact-json.ts";
import { t } from "#web/i18n/t.ts";

/** A value as text for an editor; an unset one is an empty text. */
export function toJsonText(value: unknown): string {
  return value === null || value === undefined ? "" : showExactly(value);
}

/** Parses an editor's text; undefined when empty. Throws for invalid JSON. */
export function readJsonText(text: string): unknown {
  return text.trim() === "" ? undefined : parseExactly(text);
}

/** Returns the fault of a text that should be JSON; null when it is JSON or empty. */
export function checkJsonText(text: string): string | null {
  try {
    readJsonText(text);
    return null;
  } catch (error) {
    return t`Not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the fault of a text that should be a JSON object; null when it is one or empty. */
export function checkJsonObject(text: string): string | null {
  const fault = checkJsonText(text);
  if (fault !== null) return fault;
  const value = readJsonText(text);
  const isObject = value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
  return isObject ? null : t`Must be a JSON object: { … }`;
}

/** Parses an editor's object; an empty one when the text is empty. */
export function readJsonObject(text: string): Record<string, unknown> {
  return (readJsonText(text) ?? {}) as Record<string, unknown>;
}
