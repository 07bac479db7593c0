import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { FieldResult } from "@parley/sdk";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";
import { type BarRow, BarTable } from "./bar-table.tsx";

const YES_NO: Record<string, string> = { true: "Yes", false: "No" };

/** Extracted fields, each added up by its type. */
export function FieldsCard({ fields }: { fields: FieldResult[] }) {
  if (fields.length === 0) return null;
  return (
    <Card title="What people said">
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="xl">
        {fields.map((field) => (
          <Field key={field.field} field={field} />
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Field({ field }: { field: FieldResult }) {
  const { numbers, filled } = field;
  return (
    <Stack gap={4}>
      <Text component="h3" fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        <Words>{field.field}</Words>
      </Text>
      {numbers && (
        <Text fz="xs" c="dimmed">
          Median {formatNumber(numbers.median)}, mean {formatNumber(numbers.mean)}, from {formatNumber(numbers.min)} to{" "}
          {formatNumber(numbers.max)}
        </Text>
      )}
      <BarTable
        title={`Values of ${field.field}`}
        of={field.dateUnit === "WEEK" ? "Week from" : "Value"}
        rows={rowsOf(field)}
        whole={filled}
      />
    </Stack>
  );
}

function rowsOf({ type, values, numbers, otherValues }: FieldResult): BarRow[] {
  const bins = (numbers?.histogram ?? []).map(({ from, to, count }) => ({
    name: `${from}`,
    label: from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`,
    count,
  }));
  const listed = values.map(({ value, count }) => ({
    name: value,
    label: <Words>{type === "BOOLEAN" ? (YES_NO[value] ?? value) : value}</Words>,
    count,
  }));
  const others = otherValues > 0 ? [{ name: "\u0000", label: "Other values", count: otherValues }] : [];
  return [...bins, ...listed, ...others];
}
