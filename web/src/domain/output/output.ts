import type { JsonObject } from "@parley/sdk";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { humanizeField } from "./field-titles.ts";

/** API path of the outputs. */
export const OUTPUTS_PATH = "/structured-outputs";

/** Schema of a new output. */
export const FIRST_SCHEMA: JsonObject = {
  type: "object",
  properties: { interested: { type: "boolean", description: t`Are you interested?` } },
  required: ["interested"],
};

/** Returns a test that is true for flows that use the output. */
export function asksFor(outputId: string): (fields: FlowFields) => boolean {
  return ({ structuredOutputIds }) => structuredOutputIds?.includes(outputId) ?? false;
}

/** Parses a schema; null while the text is not a JSON object. */
export function readSchema(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** One field of a schema, as a form shows it. */
export interface SchemaField {
  name: string;
  /** Its title, or its name as words. */
  title: string;
  type: string;
  format: string | null;
  description: string;
  isRequired: boolean;
  choices: string[] | null;
  minimum: number | null;
  maximum: number | null;
  /** The fields of an object. */
  fields: SchemaField[];
}

/** Returns the fields of a schema in its order; parts that are not valid JSON Schema are skipped. */
export function fieldsOf(schema: unknown): SchemaField[] {
  const { properties, required } = asObject(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(asObject(properties)).map(([name, property]) => {
    const { type, title, format, description, enum: choices, minimum, maximum } = asObject(property);
    const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string" && one !== "null");
    return {
      name,
      title: typeof title === "string" && title !== "" ? title : humanizeField(name),
      type: String(types[0] ?? (Array.isArray(choices) ? "string" : "any")),
      format: typeof format === "string" ? format : null,
      description: typeof description === "string" ? description : "",
      isRequired: needed.includes(name),
      choices: Array.isArray(choices)
        ? choices.map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
        : null,
      minimum: typeof minimum === "number" ? minimum : null,
      maximum: typeof maximum === "number" ? maximum : null,
      fields: fieldsOf(property),
    };
  });
}

/** True for a value that holds nothing: null, an empty text or list, or an object of such values alone. */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmptyValue);
}

/** A field as a person adds it. */
export interface NewField {
  name: string;
  type: string;
  description: string;
  isRequired: boolean;
}

/** Returns the schema with one field added. */
export function withField(schema: JsonObject, { name, type, description, isRequired }: NewField): JsonObject {
  const property =
    type === "date"
      ? { type: "string", format: "date" }
      : type === "list"
        ? { type: "array", items: { type: "string" } }
        : { type };
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  return {
    ...schema,
    type: "object",
    properties: { ...asObject(schema.properties), [name]: { ...property, ...(description ? { description } : {}) } },
    ...(isRequired || required.length > 0
      ? { required: isRequired ? [...new Set([...required, name])] : required.filter((one) => one !== name) }
      : {}),
  };
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
