import { setImmediate } from "node:timers/promises";
import type { ConversationReport, SuiteReport } from "./report.ts";

/**
 * The largest report in bytes. Larger ones are slow to store and to show, and nobody reads ten thousand transcripts.
 */
const MAX_REPORT_BYTES = 8 * 1024 * 1024;
/** Conversations that are measured before the event loop gets a turn, because this thread serves the API too. */
const AT_ONCE = 100;

/** A conversation and its share of the report in bytes, whole and without its words. */
interface Measured {
  conversation: ConversationReport;
  bytes: number;
  slim: ConversationReport;
  slimBytes: number;
}

/**
 * Fits a report into `maxBytes`. Transcripts and tool calls are dropped first, those of conversations that passed
 * before those that failed, the later before the earlier; then whole conversations that passed. The counts stay
 * correct, and a warning says what is missing.
 */
export async function capReport(report: SuiteReport, maxBytes = MAX_REPORT_BYTES): Promise<SuiteReport> {
  const all = await measure(report.scenarios.flatMap(({ conversations }) => conversations).toReversed());
  let excess = all.reduce((sum, { bytes }) => sum + bytes, frameBytes(report)) - maxBytes;
  if (excess <= 0) return report;
  const left = new Map<ConversationReport, ConversationReport | null>();
  const passed = all.filter(({ conversation }) => conversation.passed);
  const failed = all.filter(({ conversation }) => !conversation.passed);
  for (const { conversation, slim, bytes, slimBytes } of [...passed, ...failed]) {
    if (excess <= 0) break;
    excess -= bytes - slimBytes;
    left.set(conversation, slim);
  }
  const emptied = left.size;
  let dropped = 0;
  for (const { conversation, slimBytes } of passed) {
    if (excess <= 0) break;
    excess -= slimBytes;
    dropped++;
    left.set(conversation, null);
  }
  const scenarios = report.scenarios.map((scenario) => ({
    ...scenario,
    conversations: scenario.conversations.flatMap((one) => (left.has(one) ? (left.get(one) ?? []) : one)),
  }));
  return { ...report, scenarios, warnings: [...report.warnings, ...describeLoss(emptied, dropped)] };
}

async function measure(conversations: ConversationReport[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const conversation of conversations) {
    const slim = { ...conversation, transcript: [], toolCalls: [] };
    measured.push({ conversation, bytes: sizeOf(conversation) + 1, slim, slimBytes: sizeOf(slim) + 1 });
    if (measured.length % AT_ONCE === 0) await setImmediate();
  }
  return measured;
}

/** Returns the bytes of a report without its conversations. */
function frameBytes(report: SuiteReport): number {
  return sizeOf({ ...report, scenarios: report.scenarios.map((scenario) => ({ ...scenario, conversations: [] })) });
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
