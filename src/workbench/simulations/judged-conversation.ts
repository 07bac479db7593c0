import { toError } from "#src/platform/kernel/errors.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import { type ConversationPorts, holdConversation, type ScenarioJob } from "./hold-conversation.ts";
import { judge } from "./judge.ts";
import { answeredBy } from "./persona-choice.ts";
import type { ConversationReport, Failure } from "./report.ts";

/** The most failures reported of one conversation: nobody reads more, and a run may have thousands of conversations. */
const MAX_FAILURES = 50;

/** Holds one conversation and judges it. Rejects only with the reason of the signal. */
export async function runConversation(
  job: ScenarioJob,
  seed: number,
  ports: ConversationPorts,
  signal: AbortSignal,
): Promise<ConversationReport> {
  let record: ConversationRecord;
  try {
    record = await holdConversation(job, seed, ports, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    const message = `The conversation could not be held: ${toError(thrown).message}`;
    return reportUnheld(job, seed, { code: "SESSION_ERROR", path: "SESSION_ERROR", turn: null, quote: null, message });
  }
  signal.throwIfAborted();
  const failures = judge(job.scenario, record).slice(0, MAX_FAILURES);
  const { mocked: _mocked, missing: _missing, optOutTurn: _turn, stalledMs: _stalled, ...rest } = record;
  return { ...rest, passed: failures.length === 0, failures };
}

/** Returns the report of a conversation that could not be held, with the reason. */
export function reportUnheld({ scenario }: ScenarioJob, seed: number, failure: Failure): ConversationReport {
  return {
    seed,
    passed: false,
    failures: [failure],
    outcome: "FAILED",
    callOutcome: "INTERRUPTED",
    endReason: "ERROR_INTERRUPTED",
    answeredBy: answeredBy(scenario.persona),
    turns: 0,
    callMs: 0,
    longestSilenceMs: 0,
    fields: {},
    outputs: {},
    toolCalls: [],
    optOut: false,
    cost: "0",
    inputTokens: 0,
    outputTokens: 0,
    transcript: [],
    personaNotes: [],
    error: { code: failure.code, message: failure.message },
    stagePath: [],
  };
}
