import type { JsonSchema } from "#src/engine/models/models.ts";

const MAX_BRANCHES = 50;

/** A part of a schema that holds only for some values: `then` where `if` fits, `else` where it does not. */
export interface SchemaBranch {
  when: JsonSchema;
  then: JsonSchema | null;
  else: JsonSchema | null;
}

/** Returns the branches of a schema, its own and those of its `allOf`; at most 50. */
export function branchesOf(schema: JsonSchema): SchemaBranch[] {
  const parts = [schema, ...(Array.isArray(schema.allOf) ? schema.allOf : [])].filter(isRecord);
  return parts
    .filter((part) => isRecord(part.if))
    .slice(0, MAX_BRANCHES)
    .map((part) => ({
      when: part.if as JsonSchema,
      then: isRecord(part.then) ? part.then : null,
      else: isRecord(part.else) ? part.else : null,
    }));
}

/** Returns the schemas of a schema's top-level properties by name, those of its branches among them. */
export function propertiesOf(schema: JsonSchema): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const branches = branchesOf(schema).flatMap((branch) => [branch.then, branch.else]);
  for (const part of [schema, ...(Array.isArray(schema.allOf) ? schema.allOf : []), ...branches]) {
    if (!isRecord(part) || !isRecord(part.properties)) continue;
    for (const [name, property] of Object.entries(part.properties)) {
      if (isRecord(property) && name !== "__proto__" && !found.has(name)) found.set(name, property);
    }
  }
  return found;
}

/** Returns the names that a part of a schema requires or describes. */
export function namesOf(part: JsonSchema | null): Set<string> {
  if (part === null) return new Set();
  const required = Array.isArray(part.required) ? part.required.filter((name) => typeof name === "string") : [];
  return new Set([...required, ...Object.keys(isRecord(part.properties) ? part.properties : {})]);
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is JsonSchema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
