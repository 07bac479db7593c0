import type { JsonSchema } from "#src/engine/models/models.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Field } from "./fields.ts";

/** What is awaited of whoever is asked whether something is so. */
export const YES_OR_NO: JsonSchema = { type: "boolean" };
/** What is awaited of whoever is asked for a day and a time. */
export const MOMENT: JsonSchema = { type: "string", format: "date-time" };

/** The schema of what answers the open question; null when none is open. */
export function awaitedBy({ phase, items, at, wasOffered }: Dialogue): JsonSchema | null {
  if (wasOffered) return YES_OR_NO;
  const open = phase === "ASKING" ? items[at] : undefined;
  return open ? schemaOf(open.field) : null;
}

/** A telephone number is often known by its name alone. */
function schemaOf({ kind, schema }: Field): JsonSchema {
  return kind === "PHONE" && schema.pattern === undefined ? { ...schema, format: "phone" } : schema;
}
