import type { Tool } from "@modelcontextprotocol/server";
import { isRecord } from "./tool-schema.ts";

type Json = Record<string, unknown>;

/** Longest JSON text of an argument's schema; a longer one is replaced by the names of its members. */
const MAX_MEMBER_CHARACTERS = 420;
/** Longest description that is kept whole; of a longer one the first sentence is. */
const MAX_DESCRIPTION_CHARACTERS = 160;
/** Keywords that the API checks anyway, and whose breach it names. */
const LEFT_OUT = new Set(["pattern", "minLength", "maxLength", "minItems", "maxItems", "additionalProperties"]);
/** Larger bounds are there for the API's sake. */
const LARGEST_BOUND = 10_000;

/**
 * Returns the definition as a list of tools shows it: without output schema, and with each argument's type, choices and
 * short description. An assistant reads the list before every conversation, and the full schemas of all tools are some 650
 * kB; `find_tools` gives those of one.
 */
export function slimDefinition({ outputSchema: _output, title: _title, ...tool }: Tool): Tool {
  const keepsNull = tool.annotations?.destructiveHint === true;
  const { properties = {}, required } = tool.inputSchema;
  const members = Object.entries(properties).map(([name, schema]) => [name, slimMember(schema, keepsNull)]);
  return {
    ...tool,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(members) as Json as never,
      ...(required && { required }),
    },
  };
}

function slimMember(schema: unknown, keepsNull: boolean): unknown {
  const slim = slimValue(schema, keepsNull);
  return JSON.stringify(slim).length > MAX_MEMBER_CHARACTERS && isRecord(slim) ? namesOnly(slim) : slim;
}

function slimValue(schema: unknown, keepsNull: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => slimValue(item, keepsNull));
  if (!isRecord(schema)) return schema;
  const { anyOf, ...rest } = schema;
  if (Array.isArray(anyOf) && !keepsNull) {
    const choices = anyOf.filter((choice) => !isRecord(choice) || choice.type !== "null");
    if (choices.length === 1 && isRecord(choices[0])) return slimValue({ ...choices[0], ...rest }, keepsNull);
  }
  const kept = Object.entries(schema).filter(([key, value]) => isKept(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, slimKeyword(key, value, keepsNull)]));
}

function isKept(key: string, value: unknown): boolean {
  if (LEFT_OUT.has(key)) return false;
  return typeof value !== "number" || Math.abs(value) <= LARGEST_BOUND;
}

function slimKeyword(key: string, value: unknown, keepsNull: boolean): unknown {
  if (key === "description") return shorten(String(value));
  if (key === "type" && Array.isArray(value) && !keepsNull) return onlyOf(value.filter((type) => type !== "null"));
  if (key === "enum" && Array.isArray(value) && !keepsNull) return value.filter((choice) => choice !== null);
  if (key === "properties" && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, slimValue(member, keepsNull)]));
  }
  if (key === "enum" || key === "const" || key === "required" || key === "default") return value;
  return slimValue(value, keepsNull);
}

function onlyOf(types: unknown[]): unknown {
  return types.length === 1 ? types[0] : types;
}

function shorten(text: string): string {
  const plain = text.replace(/ *\(extension\)/, "");
  if (plain.length <= MAX_DESCRIPTION_CHARACTERS) return plain;
  return /^.*?[.](?= |$)/s.exec(plain)?.[0] ?? plain;
}

/** Keeps what an argument is and says which members it has. */
function namesOnly(schema: Json): Json {
  const inner = schema.type === "array" && isRecord(schema.items) ? schema.items : schema;
  const names = isRecord(inner.properties) ? Object.keys(inner.properties) : [];
  const said = typeof schema.description === "string" ? `${schema.description} ` : "";
  const members = names.length > 0 ? `Members: ${names.join(", ")}. ` : "";
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    description: `${said}${members}find_tools has the schema.`,
  };
}
