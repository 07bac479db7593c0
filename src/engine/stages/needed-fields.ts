import type { JsonSchema, OutputDefinition } from "#src/engine/models/models.ts";
import { branchesOf, namesOf, propertiesOf, type SchemaBranch } from "./field-schemas.ts";

/** Returns the faults of a value; empty when it fits. */
type Validate = (schema: JsonSchema, value: unknown) => string[];

/** A property of an output. */
export interface OutputField {
  output: OutputDefinition;
  /** The property's own schema. */
  schema: JsonSchema;
  /** Schema of an object that has this property alone, against which a value is checked. */
  check: JsonSchema;
  /** Branches of the output's schema that name the property; none where it is always wanted. */
  branches: SchemaBranch[];
}

const known = new WeakMap<OutputDefinition[], Map<string, OutputField>>();

/** Returns the top-level properties of outputs by name; the first of a name counts. The same map for the same list. */
export function outputFields(outputs: OutputDefinition[]): Map<string, OutputField> {
  let fields = known.get(outputs);
  if (!fields) known.set(outputs, (fields = collect(outputs)));
  return fields;
}

function collect(outputs: OutputDefinition[]): Map<string, OutputField> {
  const fields = new Map<string, OutputField>();
  for (const output of outputs) {
    const shared = sharedOf(output.schema);
    // One object for each branch, because checks are kept by the schema.
    const branches = branchesOf(output.schema).map((branch) => ({
      ...branch,
      when: { type: "object", ...branch.when, ...shared },
    }));
    const required = Array.isArray(output.schema.required) ? output.schema.required : [];
    for (const [name, schema] of propertiesOf(output.schema)) {
      if (fields.has(name)) continue;
      const own = branches.filter((branch) => [branch.then, branch.else].some((part) => namesOf(part).has(name)));
      const check = { type: "object", ...shared, properties: { [name]: schema }, required: [name] };
      fields.set(name, { output, schema, check, branches: required.includes(name) ? [] : own });
    }
  }
  return fields;
}

/** Returns the definitions of a schema that references of its parts need. */
function sharedOf({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) };
}

/**
 * True when a field is wanted with these values. A field that only a branch of the schema (if/then/else) names is wanted
 * while that branch holds.
 */
export function isWanted(
  name: string,
  { branches }: OutputField,
  values: Record<string, unknown>,
  validate: Validate,
): boolean {
  if (branches.length === 0) return true;
  return branches.some((branch) => {
    const holds = validate(branch.when, values).length === 0;
    return namesOf(holds ? branch.then : branch.else).has(name);
  });
}

/** Returns an output that describes only some of its fields, for a model that should ask for these alone. */
export function narrowOutputs(outputs: OutputDefinition[], names: readonly string[]): OutputDefinition[] {
  const fields = outputFields(outputs);
  return outputs.flatMap((output) => {
    const own = names.filter((name) => fields.get(name)?.output === output);
    if (own.length === 0) return [];
    const properties = Object.fromEntries(own.map((name) => [name, fields.get(name)?.schema ?? {}]));
    const schema = { type: "object", ...sharedOf(output.schema), properties };
    return [{ name: output.name, description: output.description, schema }];
  });
}
