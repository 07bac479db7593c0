import { expect, it } from "vitest";
import { toSpan } from "./funnel-range.ts";
import { toTraffic } from "./funnel-traffic.ts";

const nowMs = Date.parse("2026-11-26T10:20:30Z");

it("asks for a running time from a whole hour on, and for whole days", () => {
  const days = { first: "2026-11-02", last: "2026-11-03" };
  expect(toSpan({ time: "7", ...days }, nowMs)).toEqual({ from: "2026-11-19T10:00:00.000Z" });
  expect(toSpan({ time: "nonsense", ...days }, nowMs)).toEqual({ from: "2026-10-27T10:00:00.000Z" });
  const { from = "", to = "" } = toSpan({ time: "DAYS", ...days }, nowMs);
  expect(Date.parse(to) - Date.parse(from)).toBe(48 * 3_600_000);
  expect(toSpan({ time: "DAYS", first: "2026-99-99", last: null }, nowMs)).toEqual({});
});

it("gives each stage and edge its share of the sessions, and marks what nobody came through", () => {
  const edges = [
    { edgeId: "yes", to: "end", taken: 6 },
    { edgeId: "no", to: "end", taken: 0 },
  ];
  const stages = [
    { stageId: "ask", entered: 8, endedHere: 2, medianSeconds: 4, edges },
    { stageId: "end", entered: 0, endedHere: 0, medianSeconds: null, edges: [] },
  ];
  const { traffic, marks } = toTraffic({ version: 1, sessions: 8, stages });
  expect(traffic.stages.get("ask")).toEqual({ words: "8 reached it · 2 ended here", share: 1 });
  expect(traffic.edges.get("ask.yes")).toEqual({ words: "6×", share: 0.75 });
  expect([...marks.stages.keys(), ...(marks.edges?.keys() ?? [])]).toEqual(["end", "ask.no"]);
  const nobody = toTraffic({ version: 1, sessions: 0, stages });
  expect([nobody.traffic.stages.size, nobody.marks.stages.size]).toEqual([0, 0]);
});
