import Ajv2020, { type Ajv2020 as Ajv, type ValidateFunction } from "ajv/dist/2020.js";
import { AppError, type ErrorCode, type Fault } from "#src/platform/kernel/errors.ts";
import { inspectString } from "./json.ts";
import { findNearest } from "./nearest-name.ts";
import { describeFaults, MAX_FAULTS, tellingErrors, toFaults } from "./schema-faults.ts";
import type { TSchema } from "./schemas.ts";

let ajv: Ajv | undefined;

/**
 * Makes the compiler at the first schema. Callers' values are taken as sent: no coercion, nothing removed, no defaults
 * filled in, or an explicit null could not clear a field.
 */
function compiler(): Ajv {
  return (ajv ??= new Ajv2020.default({
    allErrors: true,
    strict: false,
    // An error then has its schema and its value, which its message is made from.
    verbose: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    formats: { "date-time": isInstant },
    // V8 does it as well: half of the 75 ms that the first creation of a job compiled, and its check was no faster.
    code: { optimize: false },
  }));
}

/**
 * True for an instant that exists: RFC 3339 with a zone, a day that the month has, and a year and an offset that
 * PostgreSQL accepts (JavaScript reads 2026-02-30 as March 2).
 */
function isInstant(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):(\d\d))$/.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second, offsetHours, offsetMinutes] = parts
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number, number];
  if (
    year < 1 ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  )
    return false;
  return hour < 24 && minute < 60 && second < 60 && offsetHours < 15 && offsetMinutes < 60;
}

/** Returns a schema's text without `$id`, which names a component of the document; ajv would take it for a unique address. */
function textOf(schema: TSchema): string {
  return JSON.stringify(schema, (key, value: unknown) => (key === "$id" ? undefined : value));
}

const compiled = new WeakMap<TSchema, ValidateFunction>();
/** The same by the schemas' texts: routes, and the servers of a process, declare equal ones as objects of their own. */
const compiledTexts = new Map<string, ValidateFunction>();

/**
 * Returns the compiled schema, which is compiled on first use and once for all routes that share it. A process declares
 * hundreds of schemas and needs few of them; compiling all of them took a quarter of its start.
 */
function compileOnce(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const text = textOf(schema);
  const validate = compiledTexts.get(text) ?? compiler().compile(JSON.parse(text) as object);
  compiledTexts.set(text, validate);
  compiled.set(schema, validate);
  return validate;
}

/** Checks one part of a request against its schema. Throws 400 for wrong types and 422 for broken rules. */
export type Check = (value: unknown) => void;

/** Returns the check of a schema: `typeFault` for a wrong type, `ruleFault` for the rest. */
export function compileCheck(schema: TSchema, typeFault: ErrorCode, ruleFault: ErrorCode): Check {
  return (value) => {
    const validate = compileOnce(schema);
    if (validate(value)) return;
    const faults = toFaults(validate.errors);
    const wrongType = tellingErrors(validate.errors).some((error) => error.keyword === "type");
    throw new AppError(wrongType ? typeFault : ruleFault, describeFaults(faults), faults);
  };
}

/**
 * Compiles the check that a query holds only parameters of its schema, and no text that cannot be stored. An unknown
 * parameter is a 400 that names the nearest.
 */
export function compileDeclaredQuery(schema: TSchema | undefined): Check {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  const known = Object.keys(properties);
  const names = new Set(known);
  return (query) => {
    const unknown = Object.keys(query as object).filter((name) => !names.has(name));
    const faults =
      unknown.length === 0
        ? findUnstorable(query as object)
        : unknown.slice(0, MAX_FAULTS).map((name) => toQueryFault(name, known));
    if (faults.length === 0) return;
    throw new AppError("INVALID_QUERY", describeFaults(faults), faults.slice(0, MAX_FAULTS));
  };
}

/** Finds the texts of a path or a query that the database could not store or compare (a NUL). */
export function findUnstorable(values: object): Fault[] {
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(values)) {
    for (const item of [value].flat()) if (typeof item === "string") inspectString(item, name, faults);
  }
  return faults;
}

function toQueryFault(name: string, known: string[]): Fault {
  const path = name.slice(0, 200).toWellFormed();
  const nearest = findNearest(name, known);
  const hint = nearest === null ? listOf(known) : ` Did you mean ${nearest}?`;
  return { path, code: "UNKNOWN_PARAMETER", message: `${path} is not a query parameter of this path.${hint}` };
}

function listOf(known: string[]): string {
  return known.length === 0 ? " It takes none." : ` It takes ${known.join(", ")}.`;
}

/**
 * Compiles a check that returns the faults of a value, empty when it fits. Tests check replies against their
 * declaration with it.
 */
export function compileReplyCheck(schema: TSchema): (value: unknown) => Fault[] {
  return (value) => {
    const validate = compileOnce(schema);
    return validate(value) ? [] : toFaults(validate.errors);
  };
}

interface TextSchema {
  type?: string;
  pattern?: string;
  items?: TextSchema;
}

/** Reads query and path values, which are text, by the declared type of each. Lists may repeat or use commas. */
export function readTextValues(schema: TSchema, values: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as unknown as { properties?: Record<string, TextSchema> }).properties ?? {};
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const { type, items, pattern } = properties[name] ?? {};
    if (type === "array")
      out[name] = [value]
        .flat()
        .flatMap((item) => String(item).split(","))
        .map((text) => restorePlus(items?.pattern, text));
    else out[name] = typeof value === "string" ? readText(type, restorePlus(pattern, value)) : value;
  }
  return out;
}

/**
 * Gives a number or a time its plus back that was not escaped: in a query it means a space (WHATWG URL, section 5.1).
 * Only a text that does not fit its pattern, and fits it with the plus, is changed.
 */
function restorePlus(pattern: string | undefined, text: string): string {
  const restored = text.replace(/^ (?=\d)| (?=\d\d:\d\d$)/, "+");
  if (pattern === undefined || restored === text) return text;
  const form = new RegExp(pattern, "u");
  return !form.test(text) && form.test(restored) ? restored : text;
}

function readText(type: string | undefined, text: string): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
