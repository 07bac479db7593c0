import { expect, it } from "vitest";
import { renderForecast } from "./render-forecast.ts";

it("tells a forecast as somebody reads it", () => {
  const text = renderForecast({
    rows: 1_000,
    repetitions: 31,
    durationSeconds: { p10: 7_000, p50: 7_260, p90: 90_061 },
    startsAt: "2031-03-10T08:00:00.000Z",
    endsAt: "2031-03-10T10:01:00.000Z",
    attempts: 1_500,
    outcomes: [
      { status: "COMPLETED", outcome: "ANSWERED", count: 800, share: 0.8 },
      { status: "FAILED", outcome: "BUSY", count: 200, share: 0.2 },
    ],
    cost: { p10: "9.0000", p50: "10.0000", p90: "11.0000", currency: "EUR" },
    talkSeconds: 36_000,
    busiestNumber: { phoneNumber: "+12025550190", attempts: 1_500, busyShare: 0.75 },
    perHour: [
      { startsAt: "2031-03-10T08:00:00.000Z", attempts: 1_000, endedRows: 600, talkSeconds: 20_000 },
      { startsAt: "2031-03-10T09:00:00.000Z", attempts: 500, endedRows: 400, talkSeconds: 16_000 },
    ],
    skipped: { count: 3, reasons: [{ code: "DO_NOT_CALL", count: 3 }] },
    assumptions: ["Nobody else calls."],
  });
  expect(text.split("\n")).toEqual([
    "rows      1000, and 3 that are never dialled",
    "takes     2 h 1 min  (80 % of runs: 1 h 56 min to 1 d 1 h)",
    "starts    2031-03-10 08:00 UTC",
    "ends      2031-03-10 10:01 UTC",
    "attempts  1500",
    "talk      10 h",
    "cost      10.0000 EUR  (9.0000 to 11.0000)",
    "busiest   +12025550190, busy 75.0 % of the time",
    "",
    `COMPLETED ANSWERED     800  80.0 %  ${"█".repeat(24)}`,
    `FAILED BUSY            200  20.0 %  ${"█".repeat(6)}`,
    "",
    "attempts by the hour",
    `2031-03-10 08:00 UTC    1000  ${"▪".repeat(30)}`,
    `2031-03-10 09:00 UTC     500  ${"▪".repeat(15)}`,
    "",
    "never dialled: 3 DO_NOT_CALL",
    "- Nobody else calls.",
  ]);
});
