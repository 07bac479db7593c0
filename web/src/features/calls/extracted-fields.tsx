import { Group, Stack, Table, Text } from "@mantine/core";
import type { CallRow, FilledOutput, JsonObject, StructuredOutput } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { isUnderWay } from "#web/domain/call/call.ts";
import { useKnownFlows } from "#web/domain/flow/use-flow-names.ts";
import { findOutput, humanizeField } from "#web/domain/output/field-titles.ts";
import { OutputBadge } from "#web/domain/output/output-badge.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatWhen } from "#web/ui/format/format.ts";
import { LongText } from "#web/ui/long-text.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";

interface Field {
  name: string;
  title: string;
  type: string;
  description: string;
  isRequired: boolean;
  value: unknown;
}

/** Extracted fields of a call, shown with the schemas that define them. */
export function ExtractedFields({ call }: { call: CallRow }) {
  const mayRead = useMay("STRUCTURED_OUTPUTS_READ");
  const schemas = useRead<StructuredOutput[]>("/structured-outputs", undefined, { enabled: mayRead });
  const outputs = Object.entries(call.structuredOutputs);
  const flow = useKnownFlows().find(({ apiId }) => apiId === call.flowApiId);
  return (
    <Card title={t`Extracted fields`}>
      {outputs.length === 0 && (
        <Text fz="sm" c="dimmed">
          {isUnderWay(call)
            ? t`Fields appear here as the agent learns them.`
            : t`Nothing was extracted. A flow with structured outputs fills them during the call.`}
        </Text>
      )}
      <Stack>
        {outputs.map(([name, filled]) => (
          <OutputTable
            key={name}
            name={name}
            filled={filled}
            schema={findOutput(schemas.data ?? [], name, flow?.structuredOutputIds ?? [])?.schema ?? {}}
          />
        ))}
      </Stack>
    </Card>
  );
}

function OutputTable({ name, filled, schema }: { name: string; filled: FilledOutput; schema: JsonObject }) {
  const fields = fieldsOf(filled.value, schema);
  const isEmpty = ({ value, isRequired }: Field) => (value === undefined || value === null) && !isRequired;
  const empty = fields.filter(isEmpty);
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Text fz="sm" fw={600}>
          {name}
        </Text>
        <OutputBadge filled={filled} />
      </Group>
      <BoxedTable className="fields" label={t`Fields of ${name}`} verticalSpacing={4}>
        <Table.Tbody>
          {fields
            .filter((field) => !isEmpty(field))
            .map((field) => (
              <Table.Tr key={field.name}>
                <Table.Td title={field.description}>
                  {field.title}
                  <Text fz="xs" c="dimmed">
                    {field.title === field.name ? field.type : `${field.name}, ${field.type}`}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  <FieldValue field={field} />
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </BoxedTable>
      {empty.length > 0 && (
        <Text fz="xs" c="dimmed" mt={4}>
          {t`Without a value: ${empty.map(({ title }) => title).join(", ")}`}
        </Text>
      )}
      {filled.errors.map((error) => (
        <Text key={error} fz="xs" c="red">
          {error}
        </Text>
      ))}
    </section>
  );
}

function FieldValue({ field }: { field: Field }) {
  if (field.value === undefined || field.value === null) {
    return (
      <Text component="span" fz="sm" c="orange">
        {t`missing`}
      </Text>
    );
  }
  const text = typeof field.value === "string" ? formatWhen(field.value) : JSON.stringify(field.value);
  return <LongText text={text} className="field-value" />;
}

/** The schema's properties in its order, then fields that it does not define. */
function fieldsOf(value: unknown, schema: JsonObject): Field[] {
  const values = (typeof value === "object" && value !== null ? value : { value }) as JsonObject;
  const properties = (schema.properties ?? {}) as Record<
    string,
    { type?: unknown; title?: unknown; description?: unknown }
  >;
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])];
  return names.map((name) => ({
    name,
    title: typeof properties[name]?.title === "string" ? properties[name].title : humanizeField(name),
    type: typeNames(properties[name]?.type) ?? typeof values[name],
    description: typeof properties[name]?.description === "string" ? properties[name].description : "",
    isRequired: required.includes(name),
    value: values[name],
  }));
}

/** The type in a schema: a name or a list of names. */
function typeNames(type: unknown): string | null {
  if (typeof type === "string") return type;
  return Array.isArray(type) ? type.filter((name) => typeof name === "string").join(" or ") : null;
}
