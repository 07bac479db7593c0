import { expect, test } from "vitest";
import { capReport } from "./cap-report.ts";
import type { ConversationReport, SuiteReport } from "./report.ts";

function conversation(seed: number, passed: boolean): ConversationReport {
  const transcript = [{ index: 0, role: "ASSISTANT", content: "x".repeat(10_000) }];
  return { seed, passed, failures: [], transcript, toolCalls: [] } as unknown as ConversationReport;
}

function reportOf(conversations: ConversationReport[]): SuiteReport {
  const scenarios = [{ name: "a", conversations }];
  return { suite: "s", conversations: conversations.length, scenarios, warnings: ["old"] } as unknown as SuiteReport;
}

const kept = (report: SuiteReport) =>
  report.scenarios.flatMap(({ conversations }) =>
    conversations.map(({ seed, transcript }) => [seed, transcript.length] as const),
  );

test("a report that fits stays as it is", async () => {
  const report = reportOf([conversation(1, true)]);
  expect(await capReport(report, 20_000)).toBe(report);
});

test("transcripts of conversations that passed go first, the later before the earlier, and a warning counts them", async () => {
  const report = reportOf([conversation(1, true), conversation(2, false), conversation(3, true)]);
  const capped = await capReport(report, 25_000);
  expect(kept(capped)).toEqual([
    [1, 1],
    [2, 1],
    [3, 0],
  ]);
  expect(capped.warnings).toEqual(["old", expect.stringContaining("transcripts of 1 conversations")]);
  expect(kept(await capReport(report, 12_000))).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
  ]);
});

test("when that is not enough, conversations that passed are only counted; those that failed stay", async () => {
  const many = Array.from({ length: 100 }, (_, i) => conversation(i, i !== 50));
  const capped = await capReport(reportOf(many), 1_000);
  expect(capped.conversations).toBe(100);
  expect(kept(capped).some(([seed]) => seed === 50)).toBe(true);
  expect(Buffer.byteLength(JSON.stringify({ ...capped, warnings: [] }))).toBeLessThanOrEqual(1_000);
});
