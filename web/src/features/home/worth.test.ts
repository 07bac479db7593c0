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
  ({ verdicts: [], tools: [], hours: [], askedForHuman: 0, ...parts }) as unknown as Results;

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
