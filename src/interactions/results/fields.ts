import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import type { ValueGroup } from "./store.ts";

const DAY_MS = 86_400_000;
const MAX_FIELDS = 60;
const MOST_DAYS = 92;
const MOST_DATES = 200;
const BINS = 10;
const count = Type.Integer();

/** Values of one extracted field, added up by their type. */
export const FieldResult = Type.Object(
  {
    field: Type.String({ description: "Its name; nested ones by their path, such as visit.attending." }),
    type: oneOf(["BOOLEAN", "NUMBER", "DATE", "TEXT"], "Type of most of its values. A choice from a list is a TEXT."),
    filled: Type.Integer({ description: "Calls answered by a person with a value of any type." }),
    otherValues: Type.Integer({ description: "Filled calls whose value is in neither `values` nor `numbers`." }),
    values: Type.Array(Type.Object({ value: Type.String(), count }), {
      description:
        "BOOLEAN: true and false. TEXT: the most frequent 20 of up to 60 characters. DATE: days, or weeks by their Monday where they span over 92 days. NUMBER: empty.",
    }),
    dateUnit: nullable(oneOf(["DAY", "WEEK"], "Of `values`; null for other types.")),
    numbers: nullable(
      Type.Object(
        {
          count,
          min: Type.Number(),
          median: Type.Number(),
          mean: Type.Number(),
          max: Type.Number(),
          histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count }), {
            description: `Up to ${BINS} different numbers: each by itself. More: ${BINS} parts of equal width; each but the last leaves out \`to\`.`,
          }),
        },
        { description: "Of NUMBER. All but the mean are rounded to three digits." },
      ),
    ),
  },
  { $id: "FieldResult" },
);
export type FieldResult = Static<typeof FieldResult>;

/** Sums up counted values by field, the most filled first. */
export function summarizeFields(groups: readonly ValueGroup[]): FieldResult[] {
  const byField = new Map<string, ValueGroup[]>();
  for (const group of groups) byField.set(group.field, [...(byField.get(group.field) ?? []), group]);
  return [...byField]
    .map(([field, values]) => summarize(field, values))
    .toSorted((a, b) => b.filled - a.filled || (a.field < b.field ? -1 : 1))
    .slice(0, MAX_FIELDS);
}

function summarize(field: string, groups: ValueGroup[]): FieldResult {
  const kinds = new Map(groups.map(({ kind, of_kind }) => [kind, of_kind]));
  const filled = [...kinds.values()].reduce((sum, calls) => sum + calls, 0);
  const type = [...kinds].filter(([kind]) => kind !== "REST").toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "TEXT";
  const own = groups.filter(({ kind }) => kind === type);
  const numbers = type === "NUMBER" ? summarizeNumbers(own) : null;
  const dates = type === "DATE" ? listDates(own) : null;
  const values = type === "NUMBER" ? [] : (dates?.values ?? own.map(({ value, calls }) => ({ value, count: calls })));
  const shown = numbers?.count ?? values.reduce((sum, value) => sum + value.count, 0);
  return {
    field,
    type: type as FieldResult["type"],
    filled,
    otherValues: filled - shown,
    values,
    dateUnit: dates?.unit ?? null,
    numbers,
  };
}

function summarizeNumbers(groups: ValueGroup[]): NonNullable<FieldResult["numbers"]> {
  const sorted = groups
    .map(({ value, calls, total }) => ({ value: Number(value), calls, total: Number(total) }))
    .toSorted((a, b) => a.value - b.value);
  const all = sorted.reduce((sum, { calls }) => sum + calls, 0);
  const min = sorted[0]?.value ?? 0;
  const max = sorted.at(-1)?.value ?? 0;
  const median = (valueAt(sorted, Math.floor((all - 1) / 2)) + valueAt(sorted, Math.floor(all / 2))) / 2;
  const mean = sorted.reduce((sum, { total }) => sum + total, 0) / Math.max(1, all);
  return { count: all, min, median, mean: Number(mean.toPrecision(12)), max, histogram: toHistogram(sorted, min, max) };
}

function valueAt(sorted: { value: number; calls: number }[], place: number): number {
  let passed = 0;
  for (const { value, calls } of sorted) {
    passed += calls;
    if (passed > place) return value;
  }
  return 0;
}

function toHistogram(sorted: { value: number; calls: number }[], min: number, max: number) {
  if (sorted.length <= BINS) return sorted.map(({ value, calls }) => ({ from: value, to: value, count: calls }));
  const width = (max - min) / BINS;
  const edge = (i: number) => (i === BINS ? max : Number((min + i * width).toPrecision(6)));
  const counts = Array.from({ length: BINS }, (_, i) => ({ from: edge(i), to: edge(i + 1), count: 0 }));
  for (const { value, calls } of sorted) {
    // By the edges as they are shown, so that the calls of a bin are found by them.
    const bin = counts.findLast(({ from }) => from <= value);
    if (bin) bin.count += calls;
  }
  return counts;
}

function listDates(groups: ValueGroup[]): { unit: "DAY" | "WEEK"; values: FieldResult["values"] } {
  const days = groups.map(({ value }) => Date.parse(`${value}T00:00:00Z`));
  const span =
    days.reduce((max, day) => Math.max(max, day), -Infinity) - days.reduce((min, day) => Math.min(min, day), Infinity);
  const unit = span > MOST_DAYS * DAY_MS ? "WEEK" : "DAY";
  const counts = new Map<string, number>();
  for (const { value, calls } of groups) {
    const name = unit === "DAY" ? value : mondayOf(value);
    counts.set(name, (counts.get(name) ?? 0) + calls);
  }
  const values = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, calls]) => ({ value, count: calls }));
  return { unit, values: values.slice(-MOST_DATES) };
}

function mondayOf(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}
