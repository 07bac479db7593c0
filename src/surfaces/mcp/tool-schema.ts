import type { JSONValue } from "@modelcontextprotocol/server";
import type { Route } from "#src/platform/http/route.ts";
import type { TSchema } from "#src/platform/http/schemas.ts";

/** A JSON Schema of type object. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, JSONValue>;
  required?: string[];
  additionalProperties?: boolean;
};

/** Arguments of a tool, by their place in the request. */
export interface Input {
  schema: ObjectSchema;
  path: string[];
  query: string[];
  /** `MEMBERS`: every other argument is a member of the body. A name: that argument is the whole body. */
  body: "NONE" | "MEMBERS" | { argument: string };
  takesKey: boolean;
}

/** Conversion of a reply to the structured result, which must be an object. */
export type Wrapping = "NONE" | "ITEMS" | "DONE";

const IDEMPOTENCY_KEY = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "Any text of your own. The same key and arguments again repeat nothing and give the first result.",
};

/**
 * Returns a self-contained schema, without component names. Referenced parts accept anything, because clients check
 * tools one by one and have no document.
 */
function selfContained(schema: unknown): Record<string, JSONValue> {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if ((key === "$id" || key === "$schema") && typeof value === "string") return undefined;
    if (value !== null && typeof value === "object" && typeof (value as { $ref?: unknown }).$ref === "string") {
      return {};
    }
    return value;
  }) as Record<string, JSONValue>;
}

/**
 * Merges path, query and body of a route into one object of arguments. `wholeBody` names an argument for the whole
 * body.
 */
export function mergeInput(declared: Route, wholeBody?: string): Input {
  const params = objectOf(declared.params);
  // For a body that may also be CSV, the query repeats members of the JSON body.
  const query = declared.bodyKind === "STREAM" ? objectOf(undefined) : objectOf(declared.query);
  const body = declared.body ? selfContained(declared.body) : undefined;
  const flat = wholeBody === undefined && body !== undefined && isRecord(body.properties);
  const argument = wholeBody ?? "body";
  const members = flat ? objectOf(declared.body) : objectOf(undefined);
  const takesKey = declared.idempotent === true || declared.bodyKind === "STREAM";
  const required = [
    ...Object.keys(params.properties),
    ...(query.required ?? []),
    ...(members.required ?? []),
    ...(body && !flat ? [argument] : []),
  ];
  return {
    schema: {
      type: "object",
      properties: {
        ...members.properties,
        ...(body && !flat ? { [argument]: body } : {}),
        ...query.properties,
        ...params.properties,
        ...(takesKey ? { idempotencyKey: IDEMPOTENCY_KEY } : {}),
      },
      ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
      ...(flat ? {} : { additionalProperties: false }),
    },
    path: Object.keys(params.properties),
    query: Object.keys(query.properties),
    body: bodyPlace(body, flat, argument),
    takesKey,
  };
}

function bodyPlace(body: unknown, flat: boolean, argument: string): Input["body"] {
  if (body === undefined) return "NONE";
  return flat ? "MEMBERS" : { argument };
}

/**
 * Returns the schema of the structured result and its conversion from the reply; undefined for a reply that is not
 * JSON. Descriptions are left out: results are clear without them, and the list of tools is half as long.
 */
export function describeOutput(reply: TSchema | null): { schema: ObjectSchema; wrapping: Wrapping } | undefined {
  if (reply === null) {
    const properties = { done: { const: true } };
    return { schema: { type: "object", properties, required: ["done"] }, wrapping: "DONE" };
  }
  const plain = withoutDescriptions(selfContained(reply));
  if (plain.type === "object") {
    return { schema: { properties: {}, ...plain, type: "object" }, wrapping: "NONE" };
  }
  if (plain.type !== "array") return undefined;
  return { schema: { type: "object", properties: { items: plain }, required: ["items"] }, wrapping: "ITEMS" };
}

function withoutDescriptions(schema: Record<string, JSONValue>): Record<string, JSONValue> {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  ) as Record<string, JSONValue>;
}

function objectOf(schema: TSchema | undefined): ObjectSchema {
  const plain = schema === undefined ? {} : selfContained(schema);
  return { properties: {}, ...plain, type: "object" };
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
