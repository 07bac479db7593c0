/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

/** A structured output as the agent filled it; `valid` is false when it does not fit its schema. */
export interface FilledOutput {
  value: unknown;
  valid: boolean;
  errors: string[];
  extractedAt: string;
}

/** A schema that agents fill during a conversation. */
export interface StructuredOutput {
  id: string;
  name: string;
  description: string | null;
  /** JSON Schema 2020-12 of type object. */
  schema: JsonObject;
  /** Liquid template over the variables, channel and endReason; the output is left out when it comes to false. */
  condition: string | null;
  /** Filled after each thing the person says, not only at the end. */
  fillDuring: boolean | null;
  version: number;
  createdAt: string;
  updatedAt: string;
}
