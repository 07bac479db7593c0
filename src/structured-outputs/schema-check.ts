import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";
import type { Fault } from "#src/kernel/errors.ts";

const MAX_SCHEMA_BYTES = 65_536;
const MAX_DEPTH = 20;
const CACHED_VALIDATORS = 500;

/** ajv's regular expressions on a linear-time engine: a schema comes from a user, and `^(a+)+$` must not hang us. */
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string) => compiled.matcher(text).find() };
  },
  { code: "schema-check" },
);

const FORMATS: Record<string, RegExp> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i,
  time: /^\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i,
  email: /^[^\s@]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63})+$/,
  uri: /^[a-z][a-z0-9+.-]{0,30}:[^\s]{1,2048}$/i,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

const validators = new Map<string, ValidateFunction>();

/** A fresh instance for each schema, so that one schema's `$id` can never be reached from another's `$ref`. */
function compile(text: string): ValidateFunction {
  const ajv = new Ajv2020.default({ allErrors: true, strict: false, validateFormats: true, code: { regExp }, formats: FORMATS });
  return ajv.compile(JSON.parse(text) as object);
}

/** The faults that make a schema unusable: JSON Schema 2020-12 of type object, small, local references only. */
export function checkSchema(schema: unknown): Fault[] {
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) {
    return [{ path: "", code: "TYPE", message: "must be a JSON Schema object." }];
  }
  const faults: Fault[] = [];
  if ((schema as { type?: unknown }).type !== "object") {
    faults.push({ path: "type", code: "TYPE", message: 'must be "object" at the top.' });
  }
  inspect(schema, "", 0, faults);
  if (faults.length > 0) return faults.slice(0, 20);
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES) {
    return [{ path: "", code: "TOO_LARGE", message: `must be at most ${MAX_SCHEMA_BYTES} bytes.` }];
  }
  try {
    compile(text);
    return [];
  } catch (error) {
    return [{ path: "", code: "SCHEMA", message: `is not a valid JSON Schema: ${(error as Error).message}` }];
  }
}

function inspect(node: unknown, path: string, depth: number, faults: Fault[]): void {
  if (node === null || typeof node !== "object") return;
  if (depth > MAX_DEPTH) {
    faults.push({ path, code: "TOO_DEEP", message: `must nest at most ${MAX_DEPTH} levels.` });
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    const at = path === "" ? key : `${path}.${key}`;
    if (key === "$data") faults.push({ path: at, code: "NOT_ALLOWED", message: "$data is not allowed." });
    if (["$ref", "$dynamicRef"].includes(key) && typeof value === "string" && !value.startsWith("#")) {
      faults.push({ path: at, code: "REMOTE_REF", message: "may only refer to places within the schema (#/…)." });
    }
    if (key === "pattern" && typeof value === "string") inspectPattern(value, at, faults);
    if (key === "patternProperties" && value !== null && typeof value === "object") {
      for (const pattern of Object.keys(value)) inspectPattern(pattern, `${at}.${pattern}`, faults);
    }
    inspect(value, at, depth + 1, faults);
  }
}

function inspectPattern(pattern: string, path: string, faults: Fault[]): void {
  try {
    RE2JS.compile(pattern);
  } catch {
    faults.push({ path, code: "PATTERN", message: "is not a regular expression that runs in linear time (RE2)." });
  }
}

/** What is wrong with a value, in words with its path; empty when it fits the schema. */
export function validateAgainst(schema: Record<string, unknown>, value: unknown): string[] {
  const text = JSON.stringify(schema);
  let validate = validators.get(text);
  if (validate) validators.delete(text);
  else validate = compile(text);
  validators.set(text, validate);
  if (validators.size > CACHED_VALIDATORS) validators.delete(validators.keys().next().value as string);
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 20).map(describe);
}

function describe(error: ErrorObject): string {
  return `${error.instancePath.slice(1).replaceAll("/", ".") || "value"} ${error.message ?? "does not fit"}`;
}
