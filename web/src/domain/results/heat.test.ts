import { expect, it } from "vitest";
import { type HeatSlot, hoursWithDials, tintOf, tintScaleOf } from "./heat.ts";

function slot(hour: number, dials: number, answered: number): HeatSlot {
  return {
    weekday: 1,
    hour,
    dials,
    answeredByPerson: answered,
    answeredByMachine: 0,
    answerRate: dials === 0 ? null : answered / dials,
  };
}

it("tints by the shares that many dials stand behind, and those of few dials by half", () => {
  const [lucky, usual, weak] = [slot(9, 1, 1), slot(10, 100, 40), slot(11, 100, 20)];
  const most = tintScaleOf([lucky, usual, weak]);
  expect(most).toBe(0.4);
  expect([lucky, usual, weak].map((one) => tintOf(one, most))).toEqual([25, 50, 25]);
});

it("has a scale where there are few dials everywhere", () => {
  expect(tintScaleOf([slot(9, 2, 1)])).toBe(0.5);
  expect(tintOf(slot(9, 2, 0), tintScaleOf([]))).toBe(0);
});

it("lists the hours from the first dial to the last", () => {
  expect(hoursWithDials([slot(12, 1, 0), slot(9, 3, 1)])).toEqual([9, 10, 11, 12]);
});
