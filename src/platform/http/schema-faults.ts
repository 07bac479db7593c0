import type { ErrorObject } from "ajv";
import { E164_PATTERN, toLikelyE164 } from "#src/platform/kernel/e164.ts";
import type { Fault } from "#src/platform/kernel/errors.ts";
import { askNearest } from "./nearest-name.ts";

/** The most faults that an answer names. */
export const MAX_FAULTS = 20;

type Errors = ErrorObject[] | null | undefined;

const KINDS: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

/** Words for limits, by keyword of JSON Schema. */
const LIMITS: Record<string, (limit: number) => string> = {
  minLength: (limit) => `must have at least ${count(limit, "character")}`,
  maxLength: (limit) => `must have at most ${count(limit, "character")}`,
  minItems: (limit) => `must have at least ${count(limit, "item")}`,
  maxItems: (limit) => `must have at most ${count(limit, "item")}`,
  minProperties: (limit) => `must have at least ${count(limit, "member")}`,
  maxProperties: (limit) => `must have at most ${count(limit, "member")}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
};

/** Returns the errors worth reporting. For "this or null", an error that the value is not null helps nobody. */
export function tellingErrors(errors: Errors): ErrorObject[] {
  return (errors ?? []).filter(
    (error) => error.keyword !== "anyOf" && !(error.keyword === "type" && error.params.type === "null"),
  );
}

/** Returns the faults that a validator with `verbose` found, as a person reads them. */
export function toFaults(errors: Errors): Fault[] {
  // A value that "this or null" checks twice breaks the same rule twice.
  const once = new Map<string, Fault>();
  for (const error of tellingErrors(errors)) {
    const fault = toFault(error);
    once.set(`${fault.path}\n${fault.message}`, fault);
    if (once.size === MAX_FAULTS) break;
  }
  return [...once.values()];
}

/** Returns the first fault's message, and how many others there are. */
export function describeFaults(faults: Fault[]): string {
  const [head] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return `${head?.message ?? "The value does not fit its schema."}${more}`;
}

function toFault(error: ErrorObject): Fault {
  const params = error.params as Record<string, unknown>;
  const base = error.instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const member = (params.missingProperty ?? params.additionalProperty) as string | undefined;
  const path = member === undefined ? base : [base, member].filter(Boolean).join(".");
  const shown = path.slice(0, 200) || "The value";
  return { path, code: codeOf(error.keyword), message: `${shown} ${sayRule(error, params)}` };
}

function codeOf(keyword: string): string {
  if (keyword === "additionalProperties") return "UNKNOWN_FIELD";
  if (keyword === "enum") return "NOT_ALLOWED";
  return keyword === "pattern" ? "FORMAT" : keyword.toUpperCase();
}

function sayRule(error: ErrorObject, params: Record<string, unknown>): string {
  const { keyword } = error;
  if (keyword === "required") return "is required.";
  if (keyword === "additionalProperties") return "is not a field of this object.";
  if (keyword === "enum") return sayChoice((params.allowedValues as unknown[]).map(String), error.data);
  if (keyword === "type") return sayType(error, params.type as string | string[]);
  if (keyword === "pattern" || keyword === "format") return sayForm(error, String(params.pattern ?? params.format));
  const limit = LIMITS[keyword]?.(Number(params.limit));
  return `${limit ?? error.message}.`;
}

function sayChoice(allowed: string[], given: unknown): string {
  return `must be one of ${allowed.join(", ")}.${typeof given === "string" ? askNearest(given, allowed) : ""}`;
}

/** Says which type is expected; for a text where an object is, also what the schema says that object is. */
function sayType({ data, parentSchema }: ErrorObject, types: string | string[]): string {
  const { description } = (parentSchema ?? {}) as { description?: string };
  const what =
    [types].flat().includes("object") && typeof data === "string" && description ? ` Expected: ${description}` : "";
  return `must be ${sayTypes(types)}, not ${kindOf(data)}.${what}`;
}

function sayTypes(types: string | string[]): string {
  const words = [types].flat().map((type) => KINDS[type] ?? type);
  return words.length < 3 ? words.join(" or ") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : (KINDS[typeof value] ?? typeof value);
}

/** Says which form a text must have: in the words of its schema, else by the pattern itself. */
function sayForm(error: ErrorObject, rule: string): string {
  if (rule === "\\S") return "must not be blank.";
  const { description } = (error.parentSchema ?? {}) as { description?: string };
  if (rule.includes("\\u0000") && String(error.data).includes("\0")) return "must not contain a NUL character.";
  return `has the wrong form. Expected: ${description ?? rule}${rule === E164_PATTERN ? suggestNumber(error.data) : ""}`;
}

function suggestNumber(given: unknown): string {
  const likely = typeof given === "string" && given.length < 50 ? toLikelyE164(given) : null;
  return likely === null ? "" : ` Did you mean ${likely}?`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
