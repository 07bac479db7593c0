import { Checkbox, Fieldset, NumberInput, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import type { JsonObject } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { fieldsOf, type SchemaField } from "./output.ts";

const MOST_FIELDS = 200;
const DATE_INPUTS: Record<string, string> = {
  date: "date",
  "date-time": "datetime-local",
  time: "time",
  email: "email",
};

/** Preview of a schema as a form; input is discarded. */
export function SchemaPreview({ schema }: { schema: JsonObject | null }) {
  if (schema === null) {
    return (
      <Text fz="sm" c="dimmed">
        {t`The form appears as soon as the schema is a JSON object.`}
      </Text>
    );
  }
  const fields = fieldsOf(schema).slice(0, MOST_FIELDS);
  if (fields.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`The schema has no properties yet.`}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FieldPreview key={`${field.name} ${field.type}`} field={field} />
      ))}
    </Stack>
  );
}

function FieldPreview({ field }: { field: SchemaField }) {
  const { title, type, description, isRequired, choices, minimum, maximum, format } = field;
  const label = { label: title, description, withAsterisk: isRequired };
  if (choices !== null) return <Select {...label} data={[...new Set(choices)]} placeholder={t`Choose`} clearable />;
  if (type === "boolean") return <Checkbox label={`${title}${isRequired ? " *" : ""}`} description={description} />;
  if (type === "integer" || type === "number") {
    const range = { ...(minimum === null ? {} : { min: minimum }), ...(maximum === null ? {} : { max: maximum }) };
    return <NumberInput {...label} {...range} allowDecimal={type === "number"} placeholder={rangeOf(field)} />;
  }
  if (type === "array") return <TagsInput {...label} placeholder={t`Several values`} />;
  if (type === "object") {
    return (
      <Fieldset legend={title} variant="filled">
        <Stack gap="sm">
          {field.fields.map((inner) => (
            <FieldPreview key={inner.name} field={inner} />
          ))}
        </Stack>
      </Fieldset>
    );
  }
  return <TextInput {...label} type={DATE_INPUTS[format ?? ""] ?? "text"} />;
}

function rangeOf({ minimum, maximum }: SchemaField): string {
  if (minimum !== null && maximum !== null) return t`${minimum} to ${maximum}`;
  if (minimum !== null) return t`from ${minimum}`;
  return maximum === null ? "" : t`up to ${maximum}`;
}
