import type { JsonSchema } from "#src/engine/models/models.ts";
import type { Dialogue } from "./dialogue.ts";
import type { Field } from "./fields.ts";

/** Schema of the answer to a yes-or-no question. */
export const YES_OR_NO: JsonSchema = { type: "boolean" };
/** Schema of the answer to a question for a day and a time. */
export const MOMENT: JsonSchema = { type: "string", format: "date-time" };

/** Returns the schema of the answer to the open question; null when none is open. */
export function awaitedBy({ phase, items, at, wasOffered, unconfirmed }: Dialogue): JsonSchema | null {
  if (wasOffered) return YES_OR_NO;
  const open = phase === "ASKING" ? items[at] : undefined;
  if (open && unconfirmed.has(open)) return YES_OR_NO;
  return open ? schemaOf(open.field) : null;
}

/** Adds the format of a telephone number, which schemas often show by the property's name alone. */
function schemaOf({ kind, schema }: Field): JsonSchema {
  return kind === "PHONE" && schema.pattern === undefined ? { ...schema, format: "phone" } : schema;
}
