import { checkSchema, validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { Fault } from "#src/platform/kernel/errors.ts";
import type { ToolParameter } from "./tool-shapes.ts";

type Schema = Record<string, unknown>;

/** Longest JSON of a tool's parameters, which a model gets with every turn. */
const MAX_CHARACTERS = 65_536;

/** Returns the JSON Schema of a tool's parameters for the model. */
export function toInputSchema(parameters: readonly ToolParameter[]): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, toSchema(parameter)])),
    required: parameters.filter((parameter) => parameter.required === true).map((parameter) => parameter.name),
  };
}

/** Returns the faults of a list of parameters: names, patterns, schemas, and values that do not fit their own type. */
export function findParameterFaults(parameters: readonly ToolParameter[]): Fault[] {
  if (JSON.stringify(parameters).length > MAX_CHARACTERS) {
    return [{ path: "parameters", code: "TOO_LARGE", message: `must be at most ${MAX_CHARACTERS} characters in all.` }];
  }
  const seen = new Set<string>();
  const named = parameters.flatMap((parameter, i) => {
    const faults = findOwnFaults(parameter, `parameters.${i}`, seen);
    seen.add(parameter.name);
    return faults;
  });
  if (named.length > 0) return named;
  // Checked as one schema, so that references between parameters work and a hundred patterns stay within the limits.
  const schema = toInputSchema(parameters.map((parameter) => ({ ...parameter, required: false })));
  const broken = checkSchema(schema).map((fault) => ({ ...fault, path: toOwnPath(fault.path, parameters) }));
  return broken.length > 0 ? broken : [...findValueFaults(parameters, schema)];
}

function findOwnFaults({ name, source, defaultValue, enumValues }: ToolParameter, path: string, seen: Set<string>) {
  const faults: Fault[] = [];
  const refuse = (field: string, code: string, message: string) =>
    faults.push({ path: `${path}.${field}`, code, message });
  if (seen.has(name)) refuse("name", "DUPLICATE", `${name} is there twice.`);
  // Validators and templates would find the member that every object has.
  if (name in {}) refuse("name", "RESERVED", `${name} cannot be used as a name.`);
  if (source === "CONSTANT" && (defaultValue === undefined || defaultValue === null)) {
    refuse("defaultValue", "REQUIRED", "is the value of a CONSTANT.");
  }
  if (enumValues?.length === 0) refuse("enumValues", "EMPTY", "allows no value at all.");
  return faults;
}

function* findValueFaults(parameters: readonly ToolParameter[], schema: Schema): Generator<Fault> {
  const anyOfType = toInputSchema(parameters.map((one) => ({ ...one, enumValues: null, required: false })));
  for (const [i, { name, type, enumValues, defaultValue }] of parameters.entries()) {
    const path = `parameters.${i}`;
    for (const [k, value] of (enumValues ?? []).entries()) {
      if (validateAgainst(anyOfType, { [name]: value }).length === 0) continue;
      yield { path: `${path}.enumValues.${k}`, code: "TYPE", message: `is not a ${type} that fits.` };
    }
    // A variable or template may stand for a value of any type.
    const isOpen = defaultValue === null || (typeof defaultValue === "string" && defaultValue.includes("{{"));
    if (defaultValue === undefined || isOpen) continue;
    if (validateAgainst(schema, { [name]: defaultValue }).length > 0) {
      yield { path: `${path}.defaultValue`, code: "TYPE", message: "does not fit the parameter's own type." };
    }
  }
}

/** Maps the path of a fault in the joint schema to the parameter that has it. */
function toOwnPath(path: string, parameters: readonly ToolParameter[]): string {
  const [, name, field, ...rest] = path.split(".");
  const i = parameters.findIndex((parameter) => parameter.name === name);
  if (i < 0) return "parameters";
  const own = field === "enum" ? "enumValues" : field;
  return ["parameters", i, ...(own === undefined ? [] : [own, ...rest])].join(".");
}

function toSchema({ type, description, enumValues, format, pattern, items, properties }: ToolParameter): Schema {
  const schema: Schema = { type };
  if (description) schema.description = description;
  if (enumValues) schema.enum = enumValues;
  if (format) schema.format = format;
  if (pattern) schema.pattern = pattern;
  if (items) schema.items = items;
  if (properties) schema.properties = properties;
  return schema;
}
