import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { ToolFields } from "#src/authoring/tools/tool-fields.ts";
import { ToolFailure } from "./tool-failure.ts";
import { followPath, shorten } from "./values.ts";

/** Bytes of an answer that a model is given. */
const MAX_ANSWER_BYTES = 16_384;
/** Characters of an answer that a variable keeps: variables are stored with each turn. */
const MAX_KEPT_CHARACTERS = 65_536;
const MAX_FAULTS_LISTED = 5;

type ReturnValue = NonNullable<ToolFields["returnValue"]>;
type Type = NonNullable<ReturnValue["type"]>;

/**
 * Returns the relevant part of an answer in the tool's own type, and the variables that keep it. Throws a ToolFailure.
 */
export function readAnswer(
  returnValue: ToolFields["returnValue"],
  raw: unknown,
): { value: unknown; variables: Record<string, unknown> } {
  const { path, type, schema, saveToVariable } = returnValue ?? {};
  const part = path ? followPath(raw, path) : raw;
  if (part === undefined) throw new ToolFailure("RETURN_VALUE", `The tool's answer has no ${path}.`);
  const value = type ? toType(part, type) : part;
  if (schema) assertFits(schema, value);
  if (!saveToVariable) return { value, variables: {} };
  if (JSON.stringify(value ?? null).length > MAX_KEPT_CHARACTERS) {
    throw new ToolFailure("RETURN_VALUE", "The tool's answer is too large to be kept.");
  }
  return { value, variables: { [saveToVariable]: value ?? null } };
}

/** Formats an answer for the model. */
export function toContent(value: unknown): string {
  return shorten(typeof value === "string" ? value : JSON.stringify(value ?? null), MAX_ANSWER_BYTES);
}

/** Converts numbers and booleans that arrive as texts; a value that fits the type in no form is a failure. */
function toType(value: unknown, type: Type): unknown {
  if (isOfType(value, type)) return value;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (type === "string" && isScalar) return String(value);
  if (typeof value === "string") {
    const text = value.trim();
    if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
    const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text);
    if (isNumber && (type === "number" || type === "integer") && isOfType(Number(text), type)) return Number(text);
  }
  throw new ToolFailure("RETURN_VALUE", `The tool's answer is not of type ${type}.`);
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return value !== null && typeof value === "object" && !Array.isArray(value);
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "number") return Number.isFinite(value);
  return typeof value === type;
}

/** Checks an object schema by itself, and any other as the only member of an object. */
function assertFits(schema: Record<string, unknown>, value: unknown): void {
  const isObject = schema.type === "object";
  const faults = isObject
    ? validateAgainst(schema, value)
    : validateAgainst({ type: "object", properties: { value: schema }, required: ["value"] }, { value });
  if (faults.length === 0) return;
  const reported = faults.slice(0, MAX_FAULTS_LISTED).join("; ");
  throw new ToolFailure("RETURN_VALUE", `The tool's answer does not fit its schema: ${reported}`);
}
