import type { Results } from "@parley/sdk";
import { expect, test } from "vitest";
import { listFindings } from "./worth.ts";

const cell = (weekday: number, hour: number, dials: number, answeredByPerson: number) => ({
  weekday,
  hour,
  dials,
  answeredByPerson,
  answeredByMachine: 0,
  answerRate: answeredByPerson / dials,
});
const verdictOf = (verdict: "BETTER" | "NO_DIFFERENCE_YET") => ({
  flowApiId: "a",
  verdict,
  version: 2,
  comparedWith: 1,
  difference: { value: 0.3, low: 0.1, high: 0.5 },
  words: "",
});
const results = (parts: Partial<Results>): Results =>
  ({ verdicts: [], tools: [], hours: [], numbers: [], askedForHuman: 0, ...parts }) as unknown as Results;

test("nothing is found where nothing is wrong", () => {
  const tools = [
    { tool: "seldom", calls: 2, failed: 2 },
    { tool: "well", calls: 100, failed: 3 },
  ];
  const hours = [cell(1, 9, 40, 20), cell(1, 12, 29, 0)];
  expect(listFindings(results({ tools, hours, verdicts: [verdictOf("NO_DIFFERENCE_YET")] }))).toEqual([]);
});

test("a failing tool, a losing version, a dead hour over all weekdays and wishes are found, in this order", () => {
  const found = listFindings(
    results({
      tools: [{ tool: "book_demo", calls: 145, failed: 145 }],
      verdicts: [verdictOf("BETTER")],
      hours: [cell(1, 9, 40, 20), cell(1, 12, 20, 0), cell(2, 12, 20, 1)],
      askedForHuman: 7,
    }),
  );
  expect(found).toMatchObject([
    { kind: "FAILING_TOOL", tool: "book_demo", failed: 145 },
    { kind: "LOSING_VERSION" },
    { kind: "DEAD_HOUR", hour: 12, dials: 40, persons: 1 },
    { kind: "WISHES", count: 7 },
  ]);
});

test("no hour is dead where nobody or hardly anybody was dialled", () => {
  expect(listFindings(results({ hours: [] }))).toEqual([]);
  expect(listFindings(results({ hours: [cell(1, 9, 29, 0)] }))).toEqual([]);
});

test("a number is weak where the likely range of its rate ends below the rate of the others", () => {
  const number = (phoneNumber: string | null, dials: number, answerRate: number) => ({
    phoneNumber,
    dials,
    answerRate,
  });
  const find = (...numbers: ReturnType<typeof number>[]) =>
    listFindings(results({ numbers: numbers as unknown as Results["numbers"] }));
  const well = number("+12025550190", 185, 0.86);
  expect(find(well, number("+12025550194", 56, 0.375), number("+12025550193", 99, 0.86))).toEqual([
    {
      kind: "WEAK_NUMBER",
      phoneNumber: "+12025550194",
      dials: 56,
      rate: 0.375,
      othersRate: 244 / 284,
    },
  ]);
  // Too few dials, chance, a small difference over many dials, a removed number, no other number.
  expect(find(well, number("+12025550194", 29, 0))).toEqual([]);
  expect(find(number("+12025550190", 40, 0.5), number("+12025550194", 40, 0.38))).toEqual([]);
  expect(find(number("+12025550190", 90_000, 0.5), number("+12025550194", 90_000, 0.48))).toEqual([]);
  expect(find(well, number(null, 56, 0.375))).toEqual([]);
  expect(find(number("+12025550194", 500, 0.1))).toEqual([]);
});

test("a number whose dials may all have been in a dead hour is not called weak, and its rate leaves that hour out", () => {
  const hours = [cell(1, 12, 294, 0), cell(1, 10, 987, 700)];
  const find = (dials: number, answerRate: number) =>
    listFindings(
      results({
        hours,
        numbers: [
          { phoneNumber: "+12025550190", dials: 885, answerRate: 0.73 },
          { phoneNumber: "+12025550194", dials, answerRate },
        ] as unknown as Results["numbers"],
      }),
    ).filter(({ kind }) => kind === "WEAK_NUMBER");
  expect(find(396, 75 / 396)).toEqual([]);
  expect(find(300, 0.02)).toEqual([]);
  expect(find(396, 53 / 396)).toMatchObject([{ dials: 396, rate: 53 / 396 }]);
});
