import { expect, test } from "vitest";
import type { ReportRow } from "./report-row.ts";
import { Tally } from "./tally.ts";

const EMPTY: ReportRow = {
  id: "0",
  job_id: null,
  line: null,
  external_id: null,
  customer_number: "+12025550100",
  from_number: null,
  contact_name: null,
  contact_email: null,
  status: "COMPLETED",
  outcome: "ANSWERED",
  end_reason: "AGENT_ENDED_CALL",
  answered_by: "HUMAN",
  attempts_made: 1,
  max_attempts: 3,
  error: null,
  row_data: null,
  duration_ms: null,
  extracted_fields: null,
  created_at: new Date(0),
  started_at: null,
  answered_at: null,
  ended_at: null,
};

function tallyOf(rows: Partial<ReportRow>[], timeZone = "UTC") {
  const tally = new Tally(timeZone);
  for (const row of rows) tally.add({ ...EMPTY, ...row });
  return tally;
}

test("counts statuses and outcomes, the commonest first and equals by name", () => {
  const { result } = tallyOf([
    { status: "FAILED", outcome: "NO_ANSWER" },
    { status: "FAILED", outcome: "BUSY" },
    { status: "COMPLETED", outcome: "ANSWERED" },
    { status: "SKIPPED", outcome: null },
  ]);
  expect(result.byStatus).toEqual([
    { value: "FAILED", count: 2 },
    { value: "COMPLETED", count: 1 },
    { value: "SKIPPED", count: 1 },
  ]);
  expect(result.byOutcome.map((count) => count.value)).toEqual(["ANSWERED", "BUSY", "NO_ANSWER"]);
});

test("percentiles are by nearest rank", () => {
  // 1 to 20 seconds: half do not exceed 10, 95 % do not exceed 19.
  const rows = Array.from({ length: 20 }, (_, i) => ({ duration_ms: (20 - i) * 1_000 }));
  expect(tallyOf(rows).result.durationSeconds).toEqual({
    calls: 20,
    total: 210,
    average: 10.5,
    p50: 10,
    p95: 19,
    longest: 20,
  });
  expect(tallyOf([{}]).result.durationSeconds).toMatchObject({ calls: 0, p50: null, p95: null });
});

test("hours are those of the zone, its quarters included", () => {
  // 18:20 UTC is 00:05 of the next day in Kathmandu (UTC+5:45).
  const { hours } = tallyOf([{ started_at: new Date("2026-01-01T18:20:00Z") }], "Asia/Kathmandu").result.byHourOfDay;
  expect(hours.filter((hour) => hour.calls > 0)).toEqual([{ hour: 0, calls: 1, successful: 1, reached: 1 }]);
});

test("values of extracted fields are counted by dotted path, empty ones as not filled", () => {
  const tally = tallyOf([
    { extracted_fields: { ok: true, who: { name: "Ann" } } },
    { extracted_fields: { who: { name: "Bob" }, ok: true } },
    { extracted_fields: { ok: false, who: { name: null } } },
  ]);
  expect(tally.columns).toEqual(["ok", "who.name"]);
  expect(tally.result.extractedFields).toEqual([
    {
      field: "ok",
      filled: 3,
      values: [
        { value: "true", count: 2 },
        { value: "false", count: 1 },
      ],
      others: 0,
    },
    {
      field: "who.name",
      filled: 2,
      values: [
        { value: "Ann", count: 1 },
        { value: "Bob", count: 1 },
      ],
      others: 0,
    },
  ]);
});

test("free text does not fill the memory: a hundred values are told apart, the rest are counted", () => {
  const rows = Array.from({ length: 250 }, (_, i) => ({ extracted_fields: { note: `text ${i}` } }));
  const [field] = tallyOf(rows).result.extractedFields;
  expect([field?.filled, field?.values.length, field?.others]).toEqual([250, 100, 150]);
});
