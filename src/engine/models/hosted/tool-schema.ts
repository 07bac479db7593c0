import type { JsonSchema } from "#src/engine/models/models.ts";
import { isRecord, shapeOf } from "./schema-shape.ts";
import { writeSchema } from "./strict-schema.ts";
import type { ModelProvider } from "./vendors.ts";

const AT_THE_TOP = ["allOf", "anyOf", "oneOf", "enum", "not", "if", "then", "else", "$ref"];
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const DATA = new Set(["enum", "const", "default", "examples", "required"]);

/**
 * Returns a tool's parameters in the form that a provider accepts, not strict: an object at the top without
 * alternatives, and arrays with items. Google knows few keywords. The input of a call is validated against the tool's
 * own schema in any case.
 */
export function toToolSchema(provider: ModelProvider, schema: JsonSchema): JsonSchema {
  const hasPlainTop = schema.type === "object" && AT_THE_TOP.every((keyword) => !(keyword in schema));
  if (hasPlainTop && provider !== "GOOGLE") return withItems({ properties: {}, ...schema }) as JsonSchema;
  const shape = shapeOf(schema);
  const written = shape && writeSchema(shape, "OPTIONAL");
  if (written) return written;
  const plain = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !AT_THE_TOP.includes(keyword)));
  return withItems({ properties: {}, ...plain, type: "object" }) as JsonSchema;
}

/** Adds items to arrays, which OpenAI requires. Values of `enum`, `const` and the like are left alone. */
function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isRecord(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (MAPS.has(keyword) && isRecord(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withItems(one)]))];
      }
      return [keyword, DATA.has(keyword) ? value : withItems(value)];
    }),
  );
  const isArray = copy.type === "array" || (Array.isArray(copy.type) && copy.type.includes("array"));
  return isArray && copy.items === undefined ? { ...copy, items: {} } : copy;
}
