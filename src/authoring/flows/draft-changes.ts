import { isDeepStrictEqual } from "node:util";
import { Type } from "#src/platform/http/schemas.ts";
import type { FlowFields } from "./flow-fields.ts";
import { fillFields } from "./flows.ts";
import type { FlowRow } from "./store.ts";

/** Member of replies that says if a flow's draft changes something. */
export const Differs = Type.Boolean({
  description: "There is a draft, and it says something else than what is published.",
});

/** True when the flow has a draft that says something else than what is published. */
export function hasChanges({ draft, definition }: Pick<FlowRow, "draft" | "definition">): boolean {
  return draft !== null && !isDeepStrictEqual(sayingOf(draft), sayingOf(definition));
}

/** Returns a definition in a comparable form: an empty list, object or text equals none. */
function sayingOf(fields: Partial<FlowFields>): unknown {
  return withoutEmpty(fillFields(fields));
}

function withoutEmpty(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== "object") return value;
  const kept = Object.entries(value)
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
