import type { FormErrors, UseFormReturnType } from "@mantine/form";
import type { JsonObject } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { FIRST_SCHEMA, readSchema } from "./output.ts";

/** An output as its form holds it: the schema as a text. */
export type OutputValues = {
  name: string;
  description: string;
  schema: string;
  condition: string;
  fillDuring: boolean;
};

/** A form over an output. */
export type OutputForm = UseFormReturnType<OutputValues>;

/** Fields of an output in the API, for a shared one or a flow's own. */
export interface OutputFields {
  name?: string | null;
  description?: string | null;
  schema?: JsonObject | null;
  condition?: string | null;
  fillDuring?: boolean | null;
}

/** An output as the form shows it; null: a new one. */
export function toOutputValues(output: OutputFields | null): OutputValues {
  return {
    name: output?.name ?? "",
    description: output?.description ?? "",
    schema: toSchemaText(output?.schema ?? FIRST_SCHEMA),
    condition: output?.condition ?? "",
    fillDuring: output?.fillDuring ?? false,
  };
}

/** The form's values as the API takes them. */
export function toOutputBody({ name, description, schema, condition, fillDuring }: OutputValues): JsonObject {
  return {
    name: name.trim(),
    description: description || null,
    schema: JSON.parse(schema) as unknown,
    condition: condition.trim() || null,
    fillDuring,
  };
}

/** Returns the faults that keep the form from being sent. */
export function findOutputFaults({ schema }: OutputValues): FormErrors {
  return readSchema(schema) === null ? { schema: t`This must be a JSON object.` } : {};
}

/** Text of a schema, indented. */
export function toSchemaText(schema: unknown): string {
  return JSON.stringify(schema, null, 2);
}
