import { RE2JS } from "re2js";
import type { JsonSchema, OutputDefinition } from "#src/engine/models/models.ts";
import { type Hours, isJudged, isNameField, isOf, likelyHours, tenseOf } from "./field-words.ts";

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
  | "URI"
  | "DURATION"
  | "LIST"
  | "OBJECTS"
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
  /** The number must be a multiple of it; 0: any number. */
  step: number;
  minimum: number;
  maximum: number;
  /** BIRTH: a date of birth; PAST: some other day or time that has passed. */
  tense: "BIRTH" | "PAST" | "ANY";
  /** Hours between which a time is likely, as the description names them. */
  hours: Hours | null;
  /** Fields of each member of an OBJECTS field. */
  members: Field[];
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
    const field = toField(resolved, path, isNullable, isRequired, into.root);
    // A field about the conversation is judged afterwards, and nobody is asked for it.
    if (field && !isJudged(field)) into.found.fields.push(field);
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
    } else if (Array.isArray(alternatives) && labelsOf(resolved).length > 0) {
      isNullable ||= alternatives.some(
        (option) => isRecord(option) && (option.type === "null" || option.const === null),
      );
      break;
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

function toField(
  schema: JsonSchema,
  path: string[],
  isNullable: boolean,
  isRequired: boolean,
  root: JsonSchema,
): Field | undefined {
  const name = toWords(path.at(-1) ?? "");
  const described = describe(schema);
  const about = described ?? name;
  const items = isRecord(schema.items) ? resolve(schema.items, root).resolved : {};
  const choices = choicesOf(schema, items);
  const kind = kindOf(schema, items, choices.length > 0, `${name} ${about}`, name);
  if (!kind) return undefined;
  const range = kind === "NUMBER" ? RANGE.exec(about) : null;
  const all = [name, schema.title, schema.description].filter((text) => typeof text === "string").join(" ");
  return {
    path,
    schema,
    kind,
    about,
    isDescribed: described !== undefined,
    choices,
    isInteger: schema.type === "integer",
    step: typeof schema.multipleOf === "number" ? schema.multipleOf : 0,
    // Negative only where the schema says so: nobody means "minus one guests".
    minimum: limitOf(schema, "minimum", "exclusiveMinimum", 1) ?? (range ? Number(range[1]) : 0),
    maximum: limitOf(schema, "maximum", "exclusiveMaximum", -1) ?? (range ? Number(range[2]) : Infinity),
    tense: tenseOf(all),
    hours: likelyHours(all),
    members: kind === "OBJECTS" ? membersOf(items, root) : [],
    accepts: textCheck(schema),
    isName: kind === "TEXT" && isNameField(name, about),
    isNullable,
    isForCallback: isOf(`${name} ${about}`, "CALLBACK") && kind !== "BOOLEAN",
    isRequired,
  };
}

/** Returns the words to ask with: a description that is a question, else the title, else the description. */
function describe({ description, title }: JsonSchema): string | undefined {
  const texts = [description, title].filter((text) => typeof text === "string" && text.trim() !== "") as string[];
  const found = texts.find((text) => text.includes("?")) ?? texts.at(-1);
  return found?.replaceAll(/\s+/g, " ").trim().slice(0, 300);
}

function membersOf(items: JsonSchema, root: JsonSchema): Field[] {
  const found: OutputFields = { fields: [], constants: [] };
  collect({ root, found }, items, [], false, MAX_DEPTH - 1);
  return found.fields;
}

function limitOf(schema: JsonSchema, inclusive: string, exclusive: string, step: number): number | undefined {
  if (typeof schema[inclusive] === "number") return schema[inclusive];
  const limit = schema[exclusive];
  if (typeof limit !== "number") return undefined;
  return schema.type === "integer" ? limit + step : limit + step * 1e-9;
}

function choicesOf(schema: JsonSchema, items: JsonSchema): Field["choices"] {
  for (const one of [schema, items]) {
    if (Array.isArray(one.enum)) {
      return one.enum
        .filter((value) => ["string", "number"].includes(typeof value))
        .map((value) => ({ value: value as unknown, spoken: toWords(String(value)) }));
    }
    const labels = labelsOf(one);
    if (labels.length > 0) return labels;
  }
  return [];
}

/** Returns the choices of a labelled enum: alternatives that are constants, with their titles. */
function labelsOf(schema: JsonSchema): Field["choices"] {
  const alternatives = [schema.oneOf, schema.anyOf].find((list) => Array.isArray(list)) ?? [];
  const real = alternatives.filter((one) => isRecord(one) && one.type !== "null" && one.const !== null) as JsonSchema[];
  if (real.length === 0 || !real.every(({ const: value }) => ["string", "number"].includes(typeof value))) return [];
  return real.map(({ const: value, title, description }) => {
    const label = [title, description].find((text) => typeof text === "string" && text.trim() !== "");
    return { value, spoken: typeof label === "string" ? label.trim() : toWords(String(value)) };
  });
}

const KIND_OF_FORMAT: Record<string, FieldKind> = {
  date: "DATE",
  time: "TIME",
  "date-time": "DATE_TIME",
  email: "EMAIL",
  phone: "PHONE",
  tel: "PHONE",
  uri: "URI",
  url: "URI",
  duration: "DURATION",
};

function kindOf(
  schema: JsonSchema,
  items: JsonSchema,
  hasChoices: boolean,
  words: string,
  name: string,
): FieldKind | undefined {
  if (schema.type === "boolean") return "BOOLEAN";
  if (schema.type === "array") {
    if (hasChoices) return "CHOICES";
    if (isRecord(items.properties)) return "OBJECTS";
    return items.type === "string" ? "LIST" : undefined;
  }
  if (hasChoices) return "CHOICE";
  if (schema.type === "integer" || schema.type === "number") return "NUMBER";
  if (schema.type !== "string" && schema.type !== undefined) return undefined;
  if (typeof schema.format === "string") return KIND_OF_FORMAT[schema.format] ?? "TEXT";
  if (isOf(name, "EMAIL")) return "EMAIL";
  return isOf(name, "PHONE") && !isOf(words, "CALLBACK") ? "PHONE" : "TEXT";
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
