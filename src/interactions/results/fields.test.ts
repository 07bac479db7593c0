import { expect, test } from "vitest";
import { readFieldValues } from "./field-values.ts";
import { summarizeFields } from "./fields.ts";
import type { ValueGroup } from "./store.ts";

/** Groups the values of calls as the database does. */
function group(calls: Record<string, unknown>[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const { field, kind, value, total } of calls.flatMap((call) => readFieldValues(call))) {
    const key = JSON.stringify([field, kind, value]);
    const known = groups.get(key) ?? { field, kind, value, calls: 0, total: "0", of_kind: 0 };
    groups.set(key, { ...known, calls: known.calls + 1, total: String(Number(known.total) + total) });
  }
  const all = [...groups.values()];
  for (const one of all) {
    const alike = all.filter(({ field, kind }) => field === one.field && kind === one.kind);
    one.of_kind = alike.reduce((sum, { calls }) => sum + calls, 0);
  }
  return all;
}

test("numbers have least, middle, mean, most and a histogram that counts each once", () => {
  const [field] = summarizeFields(group([1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100].map((guests) => ({ guests }))));
  expect(field).toMatchObject({ field: "guests", type: "NUMBER", filled: 12, otherValues: 0 });
  expect(field?.numbers).toMatchObject({ count: 12, min: 1, median: 5.5, max: 100 });
  expect(field?.numbers?.mean).toBeCloseTo(157 / 12);
  expect(field?.numbers?.histogram.map(({ count }) => count)).toEqual([11, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test("up to ten different numbers are counted one by one", () => {
  const [field] = summarizeFields(group([{ guests: 7 }, { guests: 3 }, { guests: 7 }]));
  expect(field?.numbers?.histogram).toEqual([
    { from: 3, to: 3, count: 1 },
    { from: 7, to: 7, count: 2 },
  ]);
});

test("nested fields have their path; empty ones are not filled; long texts are counted, not kept", () => {
  const long = "It rained on Monday, and so nobody came to the clinic, which was a pity for all.";
  const calls = [
    { a: { b: true }, t: "x" },
    { a: { b: false }, t: "" },
    { a: { b: true }, t: long, n: null },
  ];
  expect(summarizeFields(group(calls))).toMatchObject([
    {
      field: "a.b",
      type: "BOOLEAN",
      filled: 3,
      values: [
        { value: "true", count: 2 },
        { value: "false", count: 1 },
      ],
    },
    { field: "t", type: "TEXT", filled: 2, otherValues: 1, values: [{ value: "x", count: 1 }] },
  ]);
});

test("dates are counted by day, and by the Monday of their week when they span months", () => {
  const days = (...all: string[]) => summarizeFields(group(all.map((on) => ({ on }))))[0];
  expect(days("2026-03-04", "2026-03-04T10:00:00Z", "2026-03-05")).toMatchObject({
    type: "DATE",
    dateUnit: "DAY",
    values: [
      { value: "2026-03-04", count: 2 },
      { value: "2026-03-05", count: 1 },
    ],
  });
  expect(days("2026-03-04", "2026-03-08", "2026-09-01")).toMatchObject({
    dateUnit: "WEEK",
    values: [
      { value: "2026-03-02", count: 2 },
      { value: "2026-08-31", count: 1 },
    ],
  });
});
