import { asObject } from "#src/platform/kernel/json-object.ts";

/** A JSON object with unknown fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns the object, or one without fields for anything else. */
export function asJson(value: unknown): Json {
  return asObject(value) ?? {};
}

/** Returns the elements that are objects. */
export function asJsonList(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((entry) => entry !== null && typeof entry === "object") : [];
}

/** Returns a non-empty text, or a number as text; null for anything else. Drops characters that no database stores. */
export function asText(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") return null;
  return value.replaceAll("\0", "").toWellFormed() || null;
}

/** Converts a time to ISO 8601 UTC; null for anything else. Vonage omits the zone where it means UTC. */
export function asTime(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const ms = Date.parse(hasZone ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
