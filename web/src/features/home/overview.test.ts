import { describe, expect, it } from "vitest";
import { countPlaced, listHours, listOutcomes, type Overview, reachedShares } from "./overview.ts";

const overview = {
  asOf: "2026-11-21T10:20:00.000Z",
  calls: {
    total: 9,
    byStatus: { COMPLETED: 3, FAILED: 1, RINGING: 5 },
    ended: { person: 2, machine: 1, nobody: 1 },
    byOutcome: { BUSY: 1, ANSWERED: 3 },
    byHour: [
      { hour: "2026-11-20T11:00:00.000Z", ended: 2, reached: 0, machine: 0 },
      { hour: "2026-11-21T10:00:00.000Z", ended: 4, reached: 2, machine: 1 },
      { hour: "2026-11-20T10:00:00.000Z", ended: 1, reached: 1, machine: 0 },
    ],
    isPartial: false,
  },
} as unknown as Overview;

describe("the overview of a day", () => {
  it("counts people among the calls that ended, apart from machines", () => {
    expect(reachedShares(overview)).toEqual({ person: 0.5, machine: 0.25 });
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

  it("counts no call that was not dialled yet", () => {
    const byStatus = { COMPLETED: 6, QUEUED: 3 };
    expect(countPlaced({ ...overview, calls: { ...overview.calls, byStatus } })).toBe(6);
  });

  it("names the most frequent outcome first", () => {
    expect(listOutcomes(overview).map(({ name, tone }) => [name, tone])).toEqual([
      ["ANSWERED", "good"],
      ["BUSY", "warning"],
    ]);
  });
});
