import type { ResultBoard } from "@parley/sdk";
import { expect, test } from "vitest";
import { readCards, toBoardFilters, toValues } from "./board.ts";

test("what a board stores of the address brings the same address back", () => {
  const values = {
    lastDays: ["7"],
    timeZone: ["Asia/Tokyo"],
    flowApiId: ["reminder"],
    flowVersion: ["3"],
    jobId: ["j"],
    goal: ["note=a=b"],
  };
  const filters = toBoardFilters(values, "UTC");
  expect(filters).toEqual({
    lastDays: 7,
    timeZone: "Asia/Tokyo",
    flowApiId: "reminder",
    flowVersion: 3,
    jobId: "j",
    goalField: "note",
    goalValue: "a=b",
  });
  const board = { id: "b", name: "Weekly", filters, cards: ["HOURS"] } as unknown as ResultBoard;
  expect(toValues(board)).toEqual({ ...values, cards: ["HOURS"], board: ["b"] });
  expect(toBoardFilters({ from: ["2026-01-01"], lastDays: ["7"] }, "UTC")).toEqual({
    from: "2026-01-01",
    timeZone: "UTC",
  });
});

test("cards are those of the address, or all", () => {
  expect(readCards(["HOURS", "NOPE", "FUNNEL"])).toEqual(["HOURS", "FUNNEL"]);
  expect(readCards(undefined)).toHaveLength(7);
});
