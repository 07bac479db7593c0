import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { OutageLines } from "./outage-lines.ts";

function collect() {
  const lines: [string, object][] = [];
  const isOf = (error: string) => error.includes(":5432");
  const outage = new OutageLines({ name: "The database", isOf }, (...line) => void lines.push(line));
  return { lines, outage };
}

const AWAY = "connect ECONNREFUSED 127.0.0.1:5432";

test("the lines of an outage are counted behind its first, each minute and when it is over", () => {
  const { lines, outage } = collect();
  const passed: string[] = [];
  for (let at = 0; at <= 90_000; at += 500) {
    for (const message of ["Not claimed.", "Not read."]) if (outage.passes(message, AWAY, at)) passed.push(message);
  }
  expect(passed).toEqual(["Not claimed."]);
  expect(lines).toEqual([
    ["The database still cannot be reached.", { seconds: 60, leftOut: { "Not claimed.": 120, "Not read.": 120 } }],
  ]);
  outage.answered(91_000);
  expect(lines).toHaveLength(1);
  outage.answered(92_500);
  outage.answered(95_000);
  expect(lines.slice(1)).toEqual([
    ["The database can be reached again.", { seconds: 93, leftOut: { "Not claimed.": 60, "Not read.": 61 } }],
  ]);
});

test("other errors are written as they come, and so is a fault that nobody else notices", () => {
  const { lines, outage } = collect();
  expect(outage.passes("A connection broke.", AWAY, 0)).toBe(true);
  expect(outage.passes("A task failed.", new Error("No such column."), 10)).toBe(true);
  expect(outage.passes("A task failed.", undefined, 20)).toBe(true);
  outage.answered(5_000);
  expect(lines).toEqual([]);
  expect(outage.passes("A connection broke.", new Error(AWAY), 6_000)).toBe(true);
});

test("a log writes no more than the first line, and those that say how many were left out", () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", (line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  const answered = log.collapse({ name: "The database", isOf: (error) => error.includes(":5432") });
  for (let i = 0; i < 5; i++) log.warn("Due tasks could not be read.", { error: AWAY });
  log.error("A call failed.", { error: new Error("Busy.") });
  answered();
  expect(lines.map(({ message }) => message)).toEqual(["Due tasks could not be read.", "A call failed."]);
});
