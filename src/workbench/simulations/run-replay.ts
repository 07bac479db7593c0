import { listTranscribedCalls, type TranscribedCall } from "#src/interactions/calls/transcribed-calls.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { RunTurns } from "./conversation-turns.ts";
import type { SuitePorts } from "./prepared-flow.ts";
import { makeReplay, type ReplaySource, toRecordedReport } from "./replay-suite.ts";
import { type SuiteReport, toDecimal } from "./report.ts";
import { runSuite } from "./run-suite.ts";

/** Calls replayed at the same time with a hosted model. */
const AT_ONCE = 4;

/** A replay's report, and the recorded calls in the same form. */
export interface ReplayEnd {
  report: SuiteReport;
  recorded: SuiteReport;
}

/** Replays the person's side of each call against the flow, each at the time of its call. Deleted calls are skipped. */
export async function runReplay(
  db: Executor,
  workspaceId: string,
  { rowIds }: ReplaySource,
  ports: SuitePorts,
  options: {
    name: string;
    onProgress: (progress: { done: number; passed: number }) => void;
    signal: AbortSignal;
    turns: RunTurns;
  },
): Promise<ReplayEnd> {
  const startedAt = performance.now();
  const { signal, turns } = options;
  const transcribedCalls = await listTranscribedCalls(db, workspaceId, rowIds);
  const plan = ports.flow.toPlan({ sessionId: "replay", ...NOBODY });
  const ownTools = plan.grants?.tools.map(({ offer }) => offer.name) ?? [];
  const reports = new Map<TranscribedCall, SuiteReport>();
  let passed = 0;
  const waiting = transcribedCalls.toReversed();
  const serve = async (): Promise<void> => {
    for (let transcribedCall = waiting.pop(); transcribedCall !== undefined; transcribedCall = waiting.pop()) {
      const suite = makeReplay(transcribedCall, { name: ports.flow.ref.name, ownTools });
      const report = await runSuite(suite, ports, { signal, turns, workers: 0 });
      reports.set(transcribedCall, report);
      if (report.passed) passed++;
      options.onProgress({ done: reports.size, passed });
    }
  };
  await Promise.all(Array.from({ length: ports.flow.model === null ? 1 : AT_ONCE }, serve));
  const all = transcribedCalls.flatMap((transcribedCall) => reports.get(transcribedCall) ?? []);
  const report = join(options.name, all, ports, Math.round(performance.now() - startedAt));
  const gone = rowIds.length - transcribedCalls.length;
  const warnings = gone > 0 ? [`${gone} of the calls do not exist any more and were passed over.`] : [];
  return { report: { ...report, warnings }, recorded: toRecordedReport(transcribedCalls, report) };
}

const NOBODY = {
  contact: { name: null, phone: null, email: null },
  variables: {},
  contextData: {},
  channel: "VOICE",
} as const;

function join(suite: string, reports: SuiteReport[], { flow }: SuitePorts, durationMs: number): SuiteReport {
  const sum = (of: (one: SuiteReport) => number): number => reports.reduce((total, one) => total + of(one), 0);
  return {
    suite,
    flow: flow.ref,
    channel: "VOICE",
    mode: "TEXT",
    model: flow.model?.name ?? "SCRIPTED",
    seed: 1,
    // Without any calls left, nothing was proved.
    passed: reports.length > 0 && reports.every(({ passed }) => passed),
    conversations: sum(({ conversations }) => conversations),
    passedConversations: sum(({ passedConversations }) => passedConversations),
    durationMs,
    callMs: sum(({ callMs }) => callMs),
    cost: toDecimal(sum(({ cost }) => Number(cost))),
    currency: flow.currency,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    scenarios: reports.flatMap(({ scenarios }) => scenarios),
    warnings: [],
  };
}
