import { RE2JS } from "re2js";
import type { JsonSchema, OutputDefinition } from "#src/engine/models/models.ts";

/** Kinds of answers that a field takes. */
export type FieldKind =
  | "BOOLEAN"
  | "NUMBER"
  | "CHOICE"
  | "CHOICES"
  | "DATE"
  | "TIME"
  | "DATE_TIME"
  | "EMAIL"
  | "PHONE"
  | "LIST"
  | "TEXT";

/** One leaf property of an output's schema: one question. */
export interface Field {
  /** Names from the top of the value. */
  path: string[];
  /** The property's own schema, without references. */
  schema: JsonSchema;
  kind: FieldKind;
  /** The property's description, else its title, else its name in words. */
  about: string;
  isDescribed: boolean;
  choices: { value: unknown; spoken: string }[];
  isInteger: boolean;
  minimum: number;
  maximum: number;
  accepts(text: string): boolean;
  isNullable: boolean;
  /** Asks for a name, which is short. */
  isName: boolean;
  /** Filled when the person wants to be called later; asked only when the schema requires it. */
  isForCallback: boolean;
  isRequired: boolean;
}

/** The questions of one output, and its constant values, which are not asked. */
export interface OutputFields {
  fields: Field[];
  constants: { path: string[]; value: unknown }[];
}

const MAX_FIELDS = 50;
const MAX_DEPTH = 6;
const MAX_REF_STEPS = 20;
const CALLBACK =
  /call[ -]?back|call (?:you|them|her|him) (?:back|again|later)|rückruf|zurückrufen|rappel|volver a llamar|devolver la llamada|återuppring|ring[a-z]* (?:upp|tillbaka)/i;
const PHONE =
  /(?:phone|mobile) ?(?:number)?$|telephone|phone number|telefon|teléfono|téléphone|handynummer|mobilnummer/i;
const EMAIL = /e-?mail|correo electrónico|courriel|e-post/i;
const NAME = /name$|^nombre|^nom$|namn$/i;
const RANGE = /(?<![\d-])(\d{1,4})\s*(?:to|-|–|bis|a|à|till)\s*(\d{1,4})(?![\d-])/i;

const known = new WeakMap<JsonSchema, OutputFields>();

/** Returns the fields of an output in the order of its schema; the same object for the same schema. */
export function fieldsOf(output: OutputDefinition): OutputFields {
  let fields = known.get(output.schema);
  if (!fields) {
    fields = { fields: [], constants: [] };
    collect({ root: output.schema, found: fields }, output.schema, [], false, 0);
    known.set(output.schema, fields);
  }
  return fields;
}

interface Collecting {
  root: JsonSchema;
  found: OutputFields;
}

function collect(into: Collecting, schema: JsonSchema, path: string[], isRequired: boolean, depth: number): void {
  if (into.found.fields.length >= MAX_FIELDS || depth > MAX_DEPTH) return;
  const { resolved, isNullable } = resolve(schema, into.root);
  const properties = resolved.properties;
  if (isRecord(properties)) {
    const required = Array.isArray(resolved.required) ? resolved.required : [];
    for (const [name, property] of Object.entries(properties)) {
      if (!isRecord(property) || name === "__proto__") continue;
      collect(into, { ...property }, [...path, name], required.includes(name), depth + 1);
    }
    return;
  }
  if (path.length === 0) return;
  if ("const" in resolved) into.found.constants.push({ path, value: resolved.const });
  else {
    const field = toField(resolved, path, isNullable, isRequired);
    if (field) into.found.fields.push(field);
  }
}

/** Follows local references, and takes the one real alternative of "this or null". */
function resolve(schema: JsonSchema, root: JsonSchema): { resolved: JsonSchema; isNullable: boolean } {
  let resolved = schema;
  let isNullable = false;
  for (let steps = 0; steps < MAX_REF_STEPS; steps++) {
    const alternatives = [resolved.anyOf, resolved.oneOf, resolved.allOf].find((list) => Array.isArray(list));
    if (typeof resolved.$ref === "string") {
      const { $ref, ...rest } = resolved;
      resolved = { ...lookUp($ref as string, root), ...rest };
    } else if (Array.isArray(alternatives) && resolved.type === undefined) {
      const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...rest } = resolved;
      const real = alternatives.filter((option) => isRecord(option) && option.type !== "null");
      isNullable ||= real.length < alternatives.length;
      resolved = { ...(real[0] as JsonSchema | undefined), ...rest };
    } else break;
  }
  const types = Array.isArray(resolved.type) ? resolved.type : [resolved.type];
  isNullable ||= types.includes("null") || (Array.isArray(resolved.enum) && resolved.enum.includes(null));
  return { resolved: { ...resolved, type: types.find((type) => type !== "null") }, isNullable };
}

function lookUp(ref: string, root: JsonSchema): JsonSchema {
  let at: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    at = isRecord(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isRecord(at) ? at : {};
}

function toField(schema: JsonSchema, path: string[], isNullable: boolean, isRequired: boolean): Field | undefined {
  const name = toWords(path.at(-1) ?? "");
  const described = [schema.description, schema.title].find((text) => typeof text === "string" && text.trim() !== "");
  const about = typeof described === "string" ? described.replaceAll(/\s+/g, " ").trim().slice(0, 300) : name;
  const choices = choicesOf(schema);
  const kind = kindOf(schema, choices.length > 0, `${name} ${about}`, name);
  if (!kind) return undefined;
  const range = kind === "NUMBER" ? RANGE.exec(about) : null;
  return {
    path,
    schema,
    kind,
    about,
    isDescribed: described !== undefined,
    choices,
    isInteger: schema.type === "integer",
    // Negative only where the schema says so: nobody means "minus one guests".
    minimum: limitOf(schema, "minimum", "exclusiveMinimum", 1) ?? (range ? Number(range[1]) : 0),
    maximum: limitOf(schema, "maximum", "exclusiveMaximum", -1) ?? (range ? Number(range[2]) : Infinity),
    accepts: textCheck(schema),
    isName: kind === "TEXT" && NAME.test(name),
    isNullable,
    isForCallback: CALLBACK.test(`${name} ${about}`) && kind !== "BOOLEAN",
    isRequired,
  };
}

function limitOf(schema: JsonSchema, inclusive: string, exclusive: string, step: number): number | undefined {
  if (typeof schema[inclusive] === "number") return schema[inclusive];
  const limit = schema[exclusive];
  if (typeof limit !== "number") return undefined;
  return schema.type === "integer" ? limit + step : limit + step * 1e-9;
}

function choicesOf(schema: JsonSchema): Field["choices"] {
  const items = isRecord(schema.items) ? schema.items.enum : undefined;
  const values = Array.isArray(schema.enum) ? schema.enum : items;
  if (!Array.isArray(values)) return [];
  return values
    .filter((value) => ["string", "number"].includes(typeof value))
    .map((value) => ({ value: value as unknown, spoken: toWords(String(value)) }));
}

function kindOf(schema: JsonSchema, hasChoices: boolean, words: string, name: string): FieldKind | undefined {
  if (schema.type === "boolean") return "BOOLEAN";
  if (schema.type === "array") {
    if (hasChoices) return "CHOICES";
    return isRecord(schema.items) && schema.items.type === "string" ? "LIST" : undefined;
  }
  if (hasChoices) return "CHOICE";
  if (schema.type === "integer" || schema.type === "number") return "NUMBER";
  if (schema.type !== "string" && schema.type !== undefined) return undefined;
  if (schema.format === "date") return "DATE";
  if (schema.format === "time") return "TIME";
  if (schema.format === "date-time") return "DATE_TIME";
  if (schema.format === "email") return "EMAIL";
  if (schema.format !== undefined) return "TEXT";
  if (EMAIL.test(name)) return "EMAIL";
  return PHONE.test(name) && !CALLBACK.test(words) ? "PHONE" : "TEXT";
}

/** Returns a check of a text against the schema's length and pattern (RE2, because the schema comes from a user). */
function textCheck(schema: JsonSchema): (text: string) => boolean {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const most = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  const pattern = typeof schema.pattern === "string" ? compilePattern(schema.pattern) : undefined;
  return (text) => text.length >= least && text.length <= most && (pattern === undefined || pattern.test(text));
}

function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The schema check reports such a pattern; here it is ignored.
    return undefined;
  }
}

/** Returns "contactChannel", "CONTACT_CHANNEL" and "contact-channel" as "contact channel". */
function toWords(name: string): string {
  const isConstant = /^[A-Z0-9_ -]+$/.test(name) && /[A-Z]{2}/.test(name);
  const spaced = isConstant
    ? name.toLowerCase()
    : name.replaceAll(/(\p{Ll})(\p{Lu})/gu, (_all, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return spaced
    .replaceAll("_", " ")
    .replace(/\be mail\b/i, "e-mail")
    .trim();
}

function isRecord(value: unknown): value is JsonSchema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
