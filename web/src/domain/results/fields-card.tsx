import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { FieldResult, Results } from "@parley/sdk";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatComputed, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";
import { type BarRow, BarTable } from "./bar-table.tsx";
import type { Drill } from "./drill.ts";
import { sayValue } from "./goal.ts";
import { countAsked } from "./sums.ts";

/** Extracted fields, each added up by its type. */
export function FieldsCard({ results, toCalls }: { results: Results; toCalls: (drill: Drill) => string }) {
  const { fields } = results;
  const asked = countAsked(results);
  if (fields.length === 0) return null;
  return (
    <Card title={t`What people said`}>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }} spacing="xl">
        {fields.map((field) => (
          <Field key={field.field} field={field} asked={asked} toCalls={toCalls} />
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Field(props: { field: FieldResult; asked: number | null; toCalls: (drill: Drill) => string }) {
  const { field, asked, toCalls } = props;
  const { numbers, filled } = field;
  const title = useFieldTitles()(field.field);
  return (
    <Stack gap={4}>
      <Text component="h3" fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        <Words>{title}</Words>
        {title !== field.field && (
          <Text component="span" fz="xs" c="dimmed" ff="monospace" ml={6}>
            {field.field}
          </Text>
        )}
      </Text>
      <Text fz="xs" c="dimmed">
        {sayFilled(filled, asked)}
      </Text>
      {numbers && (
        <Text fz="xs" c="dimmed">
          {t`Median ${formatNumber(numbers.median)}, mean ${formatComputed(numbers.mean)}, from ${formatNumber(numbers.min)} to ${formatNumber(numbers.max)}`}
        </Text>
      )}
      <BarTable
        title={t`Values of ${title}`}
        of={field.dateUnit === "WEEK" ? t`Week from` : t`Value`}
        rows={rowsOf(field, toCalls)}
        whole={filled}
      />
    </Stack>
  );
}

/** Says how many people gave a value: many who did not may have hung up before, or not wanted to answer. */
function sayFilled(filled: number, asked: number | null): string {
  if (asked === null || asked === 0) return plural(filled, "Known from {n} call", "Known from {n} calls");
  return t`Known from ${formatNumber(filled)} of ${formatNumber(asked)} answered calls (${formatShare(filled / asked)})`;
}

function rowsOf(
  { field, type, values, numbers, otherValues, dateUnit }: FieldResult,
  toCalls: (drill: Drill) => string,
): BarRow[] {
  const of = { field, fieldType: type };
  const all = numbers?.histogram ?? [];
  const bins = all.map(({ from, to, count }, i) => ({
    name: `${from}`,
    label: from === to ? formatNumber(from) : t`${formatNumber(from)} to ${formatNumber(to)}`,
    count,
    href: hrefOf(count, from === to ? { ...of, value: from } : rangeOf(of, from, all[i + 1]?.from), toCalls),
  }));
  const listed = values.map(({ value, count }) => ({
    name: value,
    label: <Words>{type === "TEXT" ? value : sayValue(value)}</Words>,
    count,
    href: hrefOf(count, dateUnit === "WEEK" ? rangeOf(of, value, weekAfter(value)) : { ...of, value }, toCalls),
  }));
  const others = otherValues > 0 ? [{ name: "\u0000", label: t`Other values`, count: otherValues }] : [];
  return [...bins, ...listed, ...others];
}

function hrefOf(count: number, drill: Drill, toCalls: (drill: Drill) => string): string | undefined {
  return count > 0 ? toCalls(drill) : undefined;
}

/** Values of a bin, which ends where the next one begins. */
function rangeOf(of: Drill, from: number | string, below: number | string | undefined): Drill {
  return { ...of, valueFrom: from, ...(below === undefined ? {} : { valueBelow: below }) };
}

function weekAfter(monday: string): string {
  return new Date(Date.parse(`${monday}T00:00:00Z`) + 7 * 86_400_000).toISOString().slice(0, 10);
}
