import { expect, test } from "vitest";
import type { LiveCall } from "#web/api/live-shapes.ts";
import { filterLive, secondsOf } from "./live-calls.ts";

const CALL: LiveCall = {
  rowId: "1",
  jobId: null,
  sessionId: "s",
  direction: "OUTBOUND",
  customerNumber: "+12025550100",
  contactName: "Ada Lovelace",
  fromPhoneNumber: "+12025550190",
  status: "RINGING",
  actions: ["end"],
  attempt: 1,
  startedAt: "2026-03-01T10:00:05.000Z",
  answeredAt: null,
};
const TALKING: LiveCall = {
  ...CALL,
  rowId: "2",
  contactName: null,
  customerNumber: "+12025550133",
  status: "IN_PROGRESS",
  startedAt: "2026-03-01T10:00:00.000Z",
  answeredAt: "2026-03-01T10:00:10.000Z",
};
const idsOf = (filters: Record<string, string[]>) => filterLive([CALL, TALKING], filters).map(({ id }) => id);

test("live calls stand in the order of their dial, and are found by name, number and status", () => {
  expect(idsOf({})).toEqual(["2", "1"]);
  expect(idsOf({ search: [" lovelace "] })).toEqual(["1"]);
  expect(idsOf({ search: ["0133"] })).toEqual(["2"]);
  expect(idsOf({ search: ["0190"] })).toEqual(["2", "1"]);
  expect(idsOf({ status: ["RINGING", "DIALING"] })).toEqual(["1"]);
});

test("a call lasts since its answer, one that rings since its dial, and never less than nothing", () => {
  const nowMs = Date.parse("2026-03-01T10:00:15.000Z");
  expect([secondsOf(CALL, nowMs), secondsOf(TALKING, nowMs), secondsOf(TALKING, 0)]).toEqual([10, 5, 0]);
});
