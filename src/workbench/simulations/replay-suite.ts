import type { TranscribedCall } from "#src/interactions/calls/transcribed-calls.ts";
import { measureSilence } from "./conversation-record.ts";
import { readToolCalls } from "./from-call/recorded-call.ts";
import { makeSuite } from "./from-call/suite-of-call.ts";
import { toRecordedCall } from "./propose-suite.ts";
import { readSuite } from "./read-suite.ts";
import type { ConversationReport, ScenarioReport, SuiteReport } from "./report.ts";
import type { Suite } from "./suite.ts";

/** Kind of a run that replays calls. */
export const REPLAY = "REPLAY";

/** The calls that a run replays. Their words are read when it begins, and stored only in its report. */
export interface ReplaySource {
  rowIds: string[];
}

/** Returns the suite of one call: the person says the same again, and everything is expected to end as it did. */
export function makeReplay(transcribedCall: TranscribedCall, flow: { name: string; ownTools: string[] }): Suite {
  const { suite, scenario } = makeSuite(toRecordedCall(transcribedCall), {
    flow: transcribedCall.flowId ?? "recorded",
    ...flow,
  });
  const { turns: _turns, outputs: _outputs, ...expect } = scenario.expect as Record<string, unknown>;
  const called = new Set(readToolCalls(transcribedCall.transcript).map(({ name }) => name));
  const neverCalls = flow.ownTools.filter((name) => !called.has(name));
  const replayed = { ...scenario, name: `call ${transcribedCall.rowId}`, expect: { ...expect, neverCalls } };
  return readSuite({ ...suite, scenarios: [replayed] }, "replay");
}

/** Returns the recorded calls in the form of a report, for comparison with a replay. The cost of a call is left out. */
export function toRecordedReport(transcribedCalls: TranscribedCall[], after: SuiteReport): SuiteReport {
  const scenarios = after.scenarios.flatMap((scenario, i): ScenarioReport[] => {
    const transcribedCall = transcribedCalls[i];
    const replayed = scenario.conversations[0];
    if (!transcribedCall || !replayed) return [];
    return [{ ...scenario, ...ALL_PASSED, conversations: [toRecordedConversation(transcribedCall, replayed)] }];
  });
  const { conversations } = after;
  return { ...after, passed: true, passedConversations: conversations, scenarios };
}

const ALL_PASSED = { passed: true, passedRepetitions: 1, passRate: 1 };

function toRecordedConversation(transcribedCall: TranscribedCall, replayed: ConversationReport): ConversationReport {
  const { transcript, status, endReason, fields, outputs } = transcribedCall;
  const callMs = transcript.at(-1)?.endMs ?? 0;
  return {
    ...replayed,
    passed: true,
    failures: [],
    outcome: status,
    callOutcome: (transcribedCall.outcome ?? "ANSWERED") as ConversationReport["callOutcome"],
    endReason: (endReason ?? "ERROR_INTERRUPTED") as ConversationReport["endReason"],
    turns: transcript.filter(({ role }) => role === "ASSISTANT").length,
    callMs,
    longestSilenceMs: measureSilence(transcript, callMs),
    fields,
    outputs,
    transcript,
  };
}
