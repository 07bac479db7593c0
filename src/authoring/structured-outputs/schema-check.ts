import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { type Fault, toError } from "#src/platform/kernel/errors.ts";
import { countJudgements } from "./schema-cost.ts";
import { FORMATS, linearRegExp } from "./schema-formats.ts";
import { surveySchema } from "./schema-walk.ts";

const MAX_SCHEMA_BYTES = 65_536;
const MAX_DEPTH = 20;
/** Ordinary schemas stay below ten; with 5,000 parts of a value this bounds a check to some tens of milliseconds. */
const MAX_JUDGEMENTS = 256;
const MAX_VALUE_PARTS = 5_000;
const MAX_VALUE_CHARACTERS = 100_000;
const MAX_FAULTS = 20;
const CACHED_CHECKS = 500;
/** Compilations after which an Ajv instance is replaced, since it keeps something of every schema it compiled. */
const COMPILES_PER_INSTANCE = 200;

type Schema = Record<string, unknown>;
/** A compiled schema, or the reason why it cannot be used. */
type Check = { validate: ValidateFunction } | { faults: Fault[] };

const checksByText = new BoundedMap<string, Check>(CACHED_CHECKS);
const checksBySchema = new WeakMap<Schema, Check>();
let ajv: Ajv2020 | undefined;
let compiles = 0;

/**
 * Returns the faults that make a schema unusable, none when it can be used: it must be JSON Schema 2020-12 of type
 * object, at most 64 KB and 20 levels, refer only to places within itself, and be checkable in bounded time.
 */
export function checkSchema(schema: unknown): Fault[] {
  if (!isRecord(schema)) return [{ path: "", code: "TYPE", message: "must be a JSON Schema object." }];
  const size = measure(schema);
  if (size.depth > MAX_DEPTH)
    return [{ path: "", code: "TOO_DEEP", message: `must nest at most ${MAX_DEPTH} levels.` }];
  const check = size.parts > MAX_SCHEMA_BYTES ? tooLarge() : checkFor(schema);
  return "faults" in check ? check.faults : [];
}

/** Returns the faults of a value, each in words after its dotted path; empty when it fits. Never throws. */
export function validateAgainst(schema: Schema, value: unknown): string[] {
  const verdict = judge(schema, value);
  return "refusals" in verdict ? verdict.refusals : verdict.errors.map(describe);
}

/** Returns the faults of a value with dotted paths from its root; empty when it fits. Never throws. */
export function findMisfits(schema: Schema, value: unknown): Fault[] {
  const verdict = judge(schema, value);
  if ("errors" in verdict) return verdict.errors.map(toMisfit);
  return verdict.refusals.map((refusal) => ({ path: "", code: "SCHEMA", message: `${refusal}.` }));
}

/** Returns the errors of a value, or the reason why it was not checked in detail. */
function judge(schema: Schema, value: unknown): { errors: ErrorObject[] } | { refusals: string[] } {
  const size = measure(value);
  if (size.depth > MAX_DEPTH) return { refusals: [`value is nested more than ${MAX_DEPTH} levels deep`] };
  if (size.parts > MAX_VALUE_PARTS || size.characters > MAX_VALUE_CHARACTERS)
    return { refusals: ["value is too large"] };
  const check = checksBySchema.get(schema) ?? checkUnknown(schema);
  if ("faults" in check) {
    return { refusals: check.faults.map(({ path, message }) => `schema ${path} ${message}`.replace("  ", " ")) };
  }
  const { validate } = check;
  return { errors: validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_FAULTS) };
}

function checkUnknown(schema: Schema): Check {
  const size = measure(schema);
  if (size.depth > MAX_DEPTH || size.parts > MAX_SCHEMA_BYTES) return tooLarge();
  const check = checkFor(schema);
  checksBySchema.set(schema, check);
  return check;
}

/** Returns the check of a schema, cached by its text; the least recently used one is dropped first. */
function checkFor(schema: Schema): Check {
  const text = JSON.stringify(schema);
  const check = checksByText.get(text) ?? build(schema, text);
  checksByText.set(text, check);
  return check;
}

function build(schema: Schema, text: string): Check {
  if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES) return tooLarge();
  const faults: Fault[] = [];
  if (schema.type !== "object") faults.push({ path: "type", code: "TYPE", message: 'must be "object" at the top.' });
  const survey = surveySchema(schema);
  faults.push(...survey.faults);
  if (faults.length > 0) return { faults: faults.slice(0, MAX_FAULTS) };
  const judgements = countJudgements(survey.places, MAX_DEPTH);
  if (judgements > MAX_JUDGEMENTS) return { faults: [entangled(judgements)] };
  return compile(text, survey.places.keys());
}

function entangled(judgements: number): Fault {
  const message =
    judgements === Infinity
      ? "refers to itself without going down into the value, so a check would never end."
      : "judges the same part of a value too many times: use fewer alternatives and references.";
  return { path: "", code: "ENTANGLED", message };
}

function tooLarge(): Check {
  return { faults: [{ path: "", code: "TOO_LARGE", message: `must be at most ${MAX_SCHEMA_BYTES} bytes.` }] };
}

function compile(text: string, pointers: Iterable<string>): Check {
  const schema = JSON.parse(text) as Schema;
  for (const pointer of pointers) spellOutNoChoice(schema, pointer);
  // All schemas of an Ajv instance share one set of names, and nothing here refers to a schema by name.
  delete schema.$id;
  delete schema.$schema;
  if (!ajv || ++compiles > COMPILES_PER_INSTANCE) {
    ajv = createAjv();
    compiles = 1;
  }
  try {
    if (!ajv.validateSchema(schema)) return { faults: (ajv.errors ?? []).slice(0, MAX_FAULTS).map(toFault) };
    return { validate: ajv.compile(schema) };
  } catch (error) {
    return { faults: [{ path: "", code: "SCHEMA", message: `is not a valid JSON Schema: ${toError(error).message}` }] };
  } finally {
    ajv.removeSchema(schema);
  }
}

/**
 * Handles an `enum` without values, which no value fits. JSON Schema allows it (validation, 6.1.2); the checker does
 * not.
 */
function spellOutNoChoice(schema: Schema, pointer: string): void {
  const names = pointer.split("/").slice(1);
  const place = names.reduce<unknown>((at, name) => (at as Schema | undefined)?.[unescape(name)], schema);
  if (!isRecord(place) || !Array.isArray(place.enum) || place.enum.length > 0) return;
  delete place.enum;
  place.allOf = [...(Array.isArray(place.allOf) ? (place.allOf as unknown[]) : []), false];
}

function unescape(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

function createAjv(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    logger: false,
    // Inlined, a thousand references to one definition would copy its code a thousand times.
    inlineRefs: false,
    code: { regExp: linearRegExp, optimize: false },
    formats: FORMATS,
  });
}

function toFault(error: ErrorObject): Fault {
  return { path: toDotted(error.instancePath), code: "SCHEMA", message: `${error.message ?? "is not valid"}.` };
}

function describe(error: ErrorObject): string {
  return `${toDotted(error.instancePath) || "value"} ${inWords(error)}`;
}

function toMisfit(error: ErrorObject): Fault {
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>;
  const member = missingProperty ?? additionalProperty;
  const base = toDotted(error.instancePath);
  const path = typeof member === "string" ? [base, member].filter(Boolean).join(".") : base;
  const words = missingProperty === undefined ? inWords(error) : "is required";
  return { path: path.slice(0, 200), code: error.keyword.toUpperCase(), message: `${words}.` };
}

function inWords(error: ErrorObject): string {
  const allowed = error.keyword === "enum" ? `: ${JSON.stringify(error.params.allowedValues).slice(0, 200)}` : "";
  return `${error.message ?? "does not fit"}${allowed}`;
}

function toDotted(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Measures a JSON value without recursion, and stops where it is already too deep or too large. */
function measure(root: unknown): { depth: number; parts: number; characters: number } {
  const size = { depth: 0, parts: 0, characters: 0 };
  let level: unknown[] = [root];
  while (level.length > 0 && size.depth <= MAX_DEPTH && size.parts <= MAX_SCHEMA_BYTES) {
    size.parts += level.length;
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part === "string") size.characters += part.length;
      if (part === null || typeof part !== "object") continue;
      for (const child of Object.values(part)) next.push(child);
    }
    if (next.length > 0) size.depth++;
    level = next;
  }
  return size;
}

function isRecord(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
