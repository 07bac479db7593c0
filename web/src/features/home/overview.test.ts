import { describe, expect, it } from "vitest";
import { countUndialled, listHours, listOutcomes, type Overview, reachedShares } from "./overview.ts";

const overview = {
  asOf: "2026-11-21T10:20:00.000Z",
  calls: {
    total: 6,
    since: "2026-11-20T11:00:00.000Z",
    ended: { person: 3, machine: 1, nobody: 2 },
    byOutcome: { BUSY: 1, ANSWERED: 3 },
    byHour: [
      { hour: "2026-11-20T11:00:00.000Z", ended: 2, reached: 0, machine: 0, byOutcome: {} },
      { hour: "2026-11-21T10:00:00.000Z", ended: 4, reached: 2, machine: 1, byOutcome: { BUSY: 1, ANSWERED: 3 } },
    ],
  },
} as unknown as Overview;

describe("the overview of a day", () => {
  it("counts people among the calls that ended, apart from machines", () => {
    expect(reachedShares(overview)).toEqual({ person: 3 / 6, machine: 1 / 6 });
    const ended = { person: 0, machine: 0, nobody: 0 };
    expect(reachedShares({ ...overview, calls: { ...overview.calls, ended } })).toBeNull();
  });

  it("has a bar for each of 24 hours, the last one being now", () => {
    const hours = listHours(overview);
    expect(hours.length).toBe(24);
    expect(hours[0]).toMatchObject({ reached: 0, machine: 0, other: 2 });
    expect(hours[23]).toMatchObject({ reached: 2, machine: 1, other: 1 });
    expect(hours.slice(1, 23).every(({ reached, machine, other }) => reached + machine + other === 0)).toBe(true);
  });

  it("colours the parts of a bar as the outcomes beside it, and what was never dialled grey", () => {
    const hours = listHours(overview);
    expect(hours[0]?.tones).toEqual([{ tone: "neutral", count: 2 }]);
    expect(hours[23]?.tones).toEqual([
      { tone: "good", count: 3 },
      { tone: "warning", count: 1 },
    ]);
    const named = new Set(listOutcomes(overview).map(({ tone }) => tone));
    expect(new Set(hours[23]?.tones.map(({ tone }) => tone))).toEqual(named);
  });

  it("accounts for each call once, in the bars and in the outcomes", () => {
    const bars = listHours(overview).reduce((sum, { reached, machine, other }) => sum + reached + machine + other, 0);
    const outcomes = listOutcomes(overview).reduce((sum, { count }) => sum + count, 0);
    expect([bars, outcomes + countUndialled(overview)]).toEqual([6, 6]);
  });

  it("names the most frequent outcome first", () => {
    expect(listOutcomes(overview).map(({ name, tone }) => [name, tone])).toEqual([
      ["ANSWERED", "good"],
      ["BUSY", "warning"],
    ]);
  });
});
