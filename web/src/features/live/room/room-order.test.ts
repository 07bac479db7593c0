import { expect, test } from "vitest";
import type { RoomCall } from "#web/api/live-shapes.ts";
import { announceAlerts, moveIn, orderRoom } from "./room-order.ts";

const call = (rowId: string, more: Partial<RoomCall> = {}): RoomCall => ({
  rowId,
  jobId: null,
  sessionId: rowId,
  direction: "OUTBOUND",
  customerNumber: `+1202555010${rowId}`,
  contactName: null,
  fromPhoneNumber: "+12025550190",
  status: "IN_PROGRESS",
  actions: ["end"],
  attempt: 1,
  startedAt: `2026-03-01T10:00:0${rowId}.000Z`,
  answeredAt: null,
  tile: null,
  alerts: [],
  ...more,
});
const angry = (second: number) => ({ kind: "ANGER", raisedAt: `2026-03-01T10:01:0${second}.000Z` }) as const;

test("calls with alerts come first, the oldest alert first, then the longest call", () => {
  const calls = [call("3"), call("1"), call("4", { alerts: [angry(2)] }), call("2", { alerts: [angry(7)] })];
  expect(orderRoom(calls, {})).toEqual(["4", "2", "1", "3"]);
  expect(orderRoom(calls, { alert: ["ANGER"] })).toEqual(["4", "2"]);
  expect(orderRoom(calls, { alert: ["TOOL_FAILING"] })).toEqual([]);
  expect(orderRoom(calls, { search: ["0103"] })).toEqual(["3"]);
  expect(orderRoom(calls, { status: ["RINGING"] })).toEqual([]);
});

test.each([
  [-1, "ArrowDown", 0],
  [0, "ArrowLeft", 0],
  [0, "ArrowRight", 1],
  [1, "ArrowDown", 5],
  [5, "ArrowUp", 1],
  [6, "ArrowDown", 8],
  [8, "ArrowDown", 8],
  [8, "ArrowRight", 8],
] as const)("from tile %i of nine in four columns %s leads to %i", (from, key, to) => {
  expect(moveIn(from, key, { count: 9, columns: 4 })).toBe(to);
});

test("new alerts are announced once, many as a number", () => {
  const before = [call("1", { contactName: "Ada" }), call("2")];
  const after = [call("1", { contactName: "Ada", alerts: [angry(1)] }), call("2")];
  expect(announceAlerts(before, after)).toBe("Ada: Anger");
  expect(announceAlerts(after, after)).toBe("");
  const many = ["1", "2", "3", "4", "5"].map((id) => call(id, { alerts: [angry(3)] }));
  expect(announceAlerts(before, many)).toMatch(/^\+12025550101: Anger\. .*\. And 2 more alerts\.$/);
});
