import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonSchema, OutputDefinition } from "#src/engine/models/models.ts";
import { type ShapedSchema, shapeOf } from "./schema-shape.ts";
import { writeSchema } from "./strict-schema.ts";
import { type ModelProvider, speaksOpenAi } from "./vendors.ts";

/**
 * Strictness of a request for JSON: decoding constrained by the schema, the schema shown, any JSON object, or only
 * words. The prompt holds the schema in each case, and the value is validated afterwards.
 */
export type Firmness = "STRICT" | "SCHEMA" | "OBJECT" | "WORDS";

const LADDER: Record<ModelProvider, Firmness[]> = {
  OPENAI_COMPATIBLE: ["STRICT", "SCHEMA", "OBJECT", "WORDS"],
  ANTHROPIC: ["SCHEMA", "WORDS"],
  GOOGLE: ["SCHEMA", "OBJECT", "WORDS"],
  AZURE_OPENAI: ["STRICT", "SCHEMA", "OBJECT", "WORDS"],
  AMAZON_BEDROCK: ["SCHEMA", "WORDS"],
};
const MAX_NAME = 60;

/** One way to ask for an output. */
export interface Asking {
  firmness: Firmness;
  responseFormat?: { type: "json"; schema?: JsonSchema; name?: string };
  providerOptions?: SharedV4ProviderOptions;
}

/**
 * Returns the ways to ask a provider for an output, the strictest first, as far as its schema can be written for them.
 */
export function waysToAsk(
  provider: ModelProvider,
  { name, schema }: OutputDefinition,
): { ways: Asking[]; shape: ShapedSchema | null } {
  const shape = shapeOf(schema);
  const named = { type: "json" as const, name: name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME) || "output" };
  const strict = shape && writeSchema(shape, "NULLABLE");
  const open = shape && writeSchema(shape, "OPTIONAL");
  const ways = LADDER[provider].flatMap((firmness): Asking[] => {
    switch (firmness) {
      case "STRICT":
        return strict ? [{ firmness, responseFormat: { ...named, schema: strict } }] : [];
      case "SCHEMA": {
        if (!speaksOpenAi(provider)) return open ? [{ firmness, responseFormat: { ...named, schema: open } }] : [];
        const library = provider === "AZURE_OPENAI" ? "openai" : "openaiCompatible";
        const providerOptions = { [library]: { strictJsonSchema: false } };
        return [{ firmness, responseFormat: { ...named, schema: open ?? schema }, providerOptions }];
      }
      case "OBJECT":
        return [{ firmness, responseFormat: { type: "json" } }];
      case "WORDS":
        return [{ firmness }];
    }
  });
  return { ways, shape };
}
