import { expect, test } from "vitest";
import { judgeHours } from "./answer-hours.ts";

const cell = (weekday: number, hour: number, dials: number, persons: number) => ({
  weekday,
  hour,
  dials,
  answeredByPerson: persons,
  answeredByMachine: 0,
  answerRate: persons / dials,
});
const span = (start: string, end: string, days = ["MON", "TUE", "WED", "THU", "FRI"] as const) => ({
  windows: [{ days: [...days], start, end }],
});
/** Mornings in which hardly anybody answers, evenings in which most do. */
const EVENINGS = [9, 10, 11]
  .map((hour) => cell(1, hour, 40, 2))
  .concat([17, 18, 19].map((hour) => cell(2, hour, 40, 20 + hour)));

test("hours in which hardly anybody answers are poor, and the best ones are named", () => {
  expect(judgeHours(EVENINGS, span("09:00", "12:00"), null)).toEqual({
    kind: "POOR",
    rate: 6 / 120,
    usualRate: 120 / 240,
    best: [17, 18, 19],
  });
  expect(judgeHours(EVENINGS, null, 10), "at any hour, the first dial counts").toMatchObject({ kind: "POOR" });
});

test("hours of which most are good, or as good as others, are not judged", () => {
  expect(judgeHours(EVENINGS, span("17:00", "20:00"), null)).toBeNull();
  expect(judgeHours(EVENINGS, span("09:00", "19:30"), null), "half of them are good").toBeNull();
  expect(judgeHours(EVENINGS, null, 18)).toBeNull();
});

test("hours without a dial are told where enough is known of others", () => {
  expect(judgeHours(EVENINGS, span("12:00", "15:00"), null)).toMatchObject({ kind: "UNKNOWN", rate: null });
  expect(judgeHours(EVENINGS.slice(0, 2), span("12:00", "15:00"), null)).toBeNull();
});

test("too few dials say nothing", () => {
  expect(judgeHours([], span("09:00", "12:00"), null)).toBeNull();
  const few = [cell(1, 9, 19, 0), cell(1, 18, 200, 100)];
  expect(judgeHours(few, span("09:00", "10:00"), null)).toBeNull();
  expect(judgeHours(EVENINGS, null, null)).toBeNull();
});
