import { describe, expect, it } from "vitest";
import { completedShare, listHours, listOutcomes, type Overview } from "./overview.ts";

const overview = {
  asOf: "2026-11-21T10:20:00.000Z",
  calls: {
    total: 9,
    byStatus: { COMPLETED: 3, FAILED: 1, RINGING: 5 },
    byOutcome: { BUSY: 1, ANSWERED: 3 },
    byHour: [
      { hour: "2026-11-20T11:00:00.000Z", total: 2, completed: 0 },
      { hour: "2026-11-21T10:00:00.000Z", total: 7, completed: 3 },
      { hour: "2026-11-20T10:00:00.000Z", total: 1, completed: 1 },
    ],
    isPartial: false,
  },
} as unknown as Overview;

describe("the overview of a day", () => {
  it("counts only calls that ended for the share of completed ones", () => {
    expect(completedShare(overview)).toBe(0.75);
    expect(completedShare({ ...overview, calls: { ...overview.calls, byStatus: { RINGING: 2 } } })).toBeNull();
  });

  it("has a bar for each of 24 hours, the last one being now", () => {
    const hours = listHours(overview);
    expect(hours.length).toBe(24);
    expect(hours[0]).toMatchObject({ good: 0, other: 2 });
    expect(hours[23]).toMatchObject({ good: 3, other: 4 });
    expect(hours.slice(1, 23).every(({ good, other }) => good + other === 0)).toBe(true);
  });

  it("names the most frequent outcome first", () => {
    expect(listOutcomes(overview).map(({ name, tone }) => [name, tone])).toEqual([
      ["ANSWERED", "good"],
      ["BUSY", "warning"],
    ]);
  });
});
