/** An object from JSON with unknown fields. */
export type JsonObject = Record<string, unknown>;

/** Returns the object in a JSON text or its bytes; null when it is not JSON or another value, such as a list. */
export function parseObject(json: string | Uint8Array): JsonObject | null {
  try {
    const isText = typeof json === "string";
    return asObject(JSON.parse(isText ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()));
  } catch {
    return null;
  }
}

/** Returns the value as an object; null for anything else, such as a list. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
