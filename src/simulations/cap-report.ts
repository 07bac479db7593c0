import type { ConversationReport, SuiteReport } from "./report.ts";

/** Larger reports are slow to store and to show, and nobody reads ten thousand transcripts. */
const MAX_REPORT_BYTES = 8 * 1024 * 1024;

/**
 * Fits a report into `maxBytes`: transcripts and tool calls go first, those of conversations that passed before those
 * that failed, the later before the earlier; then whole conversations that passed. The counts stay true, and a warning
 * says what is missing.
 */
export function capReport(report: SuiteReport, maxBytes = MAX_REPORT_BYTES): SuiteReport {
  let excess = sizeOf(report) - maxBytes;
  if (excess <= 0) return report;
  const all = report.scenarios.flatMap((scenario) => scenario.conversations).toReversed();
  const emptied = new Map<ConversationReport, ConversationReport>();
  for (const conversation of [...all.filter(({ passed }) => passed), ...all.filter(({ passed }) => !passed)]) {
    if (excess <= 0) break;
    const slim = { ...conversation, transcript: [], toolCalls: [] };
    excess -= sizeOf(conversation) - sizeOf(slim);
    emptied.set(conversation, slim);
  }
  const dropped = new Set<ConversationReport>();
  for (const conversation of all.filter(({ passed }) => passed)) {
    if (excess <= 0) break;
    excess -= sizeOf(emptied.get(conversation) ?? conversation) + 1;
    dropped.add(conversation);
  }
  const scenarios = report.scenarios.map((scenario) => ({
    ...scenario,
    conversations: scenario.conversations
      .filter((conversation) => !dropped.has(conversation))
      .map((conversation) => emptied.get(conversation) ?? conversation),
  }));
  return { ...report, scenarios, warnings: [...report.warnings, ...describeLoss(emptied.size, dropped.size)] };
}

function describeLoss(emptied: number, dropped: number): string[] {
  const why = "so that the report stays of a size that can be read";
  return [
    `The transcripts of ${emptied} conversations were left out, ${why}.`,
    ...(dropped > 0 ? [`${dropped} conversations that passed are only counted, ${why}.`] : []),
  ];
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
