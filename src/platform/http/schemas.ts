import Type, { type Static, type TSchema, type TUnsafe } from "typebox";
import { E164_PATTERN } from "#src/platform/kernel/e164.ts";
import { EMAIL_PATTERN } from "#src/platform/kernel/email.ts";

export { Type };
export type { Static, TSchema };

/** Returns `schema` or null, in the compact form that OpenAPI 3.1 readers show best. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const plain = schema as unknown as { type?: string; enum?: unknown[]; $id?: string };
  if (typeof plain.type === "string" && plain.$id === undefined) {
    const widened = { ...schema, type: [plain.type, "null"] };
    if (plain.enum) Object.assign(widened, { enum: [...plain.enum, null] });
    return Type.Unsafe<Static<T> | null>(widened as unknown as TSchema);
  }
  return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }] } as unknown as TSchema);
}

/** Returns the schema of a text from a fixed list. */
export function oneOf<const T extends readonly string[]>(values: T, description = ""): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...(description ? { description } : {}) });
}

/** Returns the schema of a JSON object with any members. */
export function anyObject(description: string): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
}

/** Returns the schema of any JSON value. */
export function anyValue(description: string): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ description });
}

/** Returns the schema of a reply that is not JSON: bytes of a content type, or of any (`*\/*`). */
export function bytesOf(contentType: string, description: string): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ contentMediaType: contentType, description });
}

export const Uuid = Type.String({
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  description: "UUID in its 36-character form.",
});

/** ISO 8601 UTC, as the service writes it. */
export const Timestamp = Type.String({ format: "date-time", description: "ISO 8601, UTC." });

/** ISO 8601 with a zone, as a caller may send it. */
export const TimestampInput = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$",
  format: "date-time",
  maxLength: 40,
  description: "ISO 8601 with a zone, such as 2026-12-01T09:00:00Z.",
});

/** The e-mail address of a contact; empty counts as none. */
export const ContactEmail = Type.String({
  maxLength: 320,
  pattern: `^$|${EMAIL_PATTERN}`,
  description: "E-mail address, such as ada@example.com.",
});

export const E164 = Type.String({
  pattern: E164_PATTERN,
  description: "E.164 number, such as +12025550100.",
});
