import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { toInputSchema } from "#src/authoring/tools/parameters.ts";
import type { ToolParameter } from "#src/authoring/tools/tool-shapes.ts";
import { fillJson } from "./fill-template.ts";
import type { LoadedTool } from "./loaded-tool.ts";
import { isHidden } from "./offer.ts";
import { ToolFailure } from "./tool-failure.ts";
import { followPath, isRecord } from "./values.ts";

/**
 * Returns the parameters of a call: the model's values, the session's variables for VARIABLE parameters, and the
 * constants. Other values from the model are dropped. Throws a ToolFailure that names the faults.
 */
export function readInput(
  definitions: readonly ToolParameter[],
  input: Record<string, unknown>,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const definition of definitions) {
    const value = valueOf(definition, input, variables);
    if (value !== undefined && value !== null) parameters[definition.name] = value;
  }
  assertInput(toInputSchema(definitions), parameters);
  return parameters;
}

/** Throws a ToolFailure that explains to the model the faults of its input. */
export function assertInput(schema: Record<string, unknown>, input: Record<string, unknown>): void {
  const faults = validateAgainst(schema, input);
  if (faults.length > 0) throw new ToolFailure("INPUT_INVALID", `The input does not fit: ${faults.join("; ")}`);
}

function valueOf(
  { name, source, defaultValue, type }: ToolParameter,
  input: Record<string, unknown>,
  variables: Record<string, unknown>,
): unknown {
  if (source === "CONSTANT") return fillDefault(defaultValue, variables);
  const given = source === "VARIABLE" ? followPath(variables, name) : own(input, name);
  if (given === undefined || given === null) return fillDefault(defaultValue, variables);
  return source === "VARIABLE" ? toType(given, type) : given;
}

function fillDefault(value: unknown, variables: Record<string, unknown>): unknown {
  return typeof value === "string" ? fillJson(value, variables) : value;
}

function own(input: unknown, name: string): unknown {
  return isRecord(input) && Object.hasOwn(input, name) ? input[name] : undefined;
}

/** Converts variables, which come from rows and texts without types. */
function toType(value: unknown, type: ToolParameter["type"]): unknown {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value !== "string" || value.trim() === "") return value;
  if ((type === "number" || type === "integer") && isKeptBy(Number(value), value)) return Number(value);
  if (type === "boolean" && /^(true|false)$/.test(value)) return value === "true";
  return value;
}

/** Tells whether the number is the text's: more digits than a number holds, as in ids, would be another one. */
function isKeptBy(number: number, text: string): boolean {
  return Number.isSafeInteger(number) || (Number.isFinite(number) && !/^\s*[+-]?\d+\s*$/.test(text));
}

/**
 * Returns the parameters of a call of a tool. The server of an MCP tool defines its input, so the model's values are
 * passed on as far as that schema allows.
 */
export function readParameters(
  { definition, grant }: LoadedTool,
  input: Record<string, unknown>,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const definitions = definition.parameters ?? [];
  if (definition.toolType !== "MCP") return readInput(definitions, input, variables);
  const hidden = new Set(definitions.filter(isHidden).map(({ name }) => name));
  const given = Object.fromEntries(Object.entries(input).filter(([name]) => !hidden.has(name)));
  assertInput(grant.offer.inputSchema, given);
  const missing = definitions.filter(({ name }) => !Object.hasOwn(given, name));
  return { ...given, ...readInput(missing, {}, variables) };
}
