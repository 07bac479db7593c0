import { isDeepStrictEqual } from "node:util";
import { oneOf, type Static, Type, Uuid } from "./schemas.ts";

/** Result of one definition that was applied from a file. */
export const Applied = Type.Object(
  {
    from: Type.Unsafe<string>({ ...Uuid, description: "Its id in the body." }),
    id: Type.Unsafe<string>({ ...Uuid, description: "Its id in the workspace." }),
    name: Type.String(),
    action: oneOf(["CREATED", "CHANGED", "UNCHANGED"]),
    fields: Type.Array(Type.String(), { description: "Names of the fields that changed; every set one when CREATED." }),
    version: Type.Integer(),
  },
  { $id: "AppliedDefinition" },
);
export type Applied = Static<typeof Applied>;

/** Returns the names of the fields whose values differ; a missing one equals null. */
export function changedFields(before: object, after: object): string[] {
  const old = before as Record<string, unknown>;
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(plain(old[name]), plain(value)))
    .map(([name]) => name);
}

/** Returns a value as it is stored: without members that are undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
