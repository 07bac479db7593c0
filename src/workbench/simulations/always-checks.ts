import type { ConversationRecord } from "./conversation-record.ts";
import { describeValue } from "./matcher.ts";
import type { Failure } from "./report.ts";
import type { AlwaysOnCheck, Scenario } from "./suite.ts";
import { type QuotedTurn, quoteFirst, quoteLast, quoteTurn, quoteWords } from "./transcript-quote.ts";

type Check = (record: ConversationRecord, scenario: Scenario) => Omit<Failure, "code" | "path">[];

const MARKUP = /\{\{|\{%/;

const LIMITS: Partial<Record<ConversationRecord["endReason"], string>> = {
  LIMIT_TURNS: "its limit of turns",
  LIMIT_DURATION: "its limit of call time",
  LIMIT_TOOL_CALLS: "its limit of tool calls",
  LIMIT_COST: "its limit of cost",
};

const CHECKS: Record<AlwaysOnCheck, Check> = {
  SESSION_ERROR: ({ error, transcript, stalledMs }) => {
    if (!error || stalledMs !== null) return [];
    // A template is filled in before the first word; every other error happened where the conversation ended.
    const at = error.code === "TEMPLATE_INVALID" ? quoteFirst(transcript) : quoteLast(transcript);
    return [{ ...at, message: `The session had an error, ${error.code}: ${error.message}` }];
  },
  MISSING_VARIABLE: ({ missing, transcript }) => [
    ...missing.map(({ text, output, words }) => ({
      ...quoteWords(transcript, words),
      message: `${text} uses ${output}, which has no value. Give it in variables, or write a default.`,
    })),
    ...transcript.flatMap(({ role, content, index }) => {
      if (role !== "ASSISTANT" || !MARKUP.test(content)) return [];
      return [{ ...quoteTurn(transcript, index + 1), message: "The agent said the markup of a template." }];
    }),
  ],
  TOOL_NOT_MOCKED: (record) =>
    ofCalls(record, "NOT_MOCKED", ({ name, input, result }) => {
      const advice = `Give ${name} an answer in tools.`;
      return `${name} was called with ${describeValue(input)}. ${result.replace(/^failed: /, "")} ${advice}`;
    }),
  TOOL_FAILED: (record) => [
    ...ofCalls(record, "FAILED", ({ name, result }) => `${name} ${result}`),
    ...unmockedFailures(record),
  ],
  OUTPUT_INVALID: ({ outputs, transcript }, { expect }) =>
    Object.entries(outputs).flatMap(([name, { valid, errors }]) => {
      if (valid || Object.hasOwn(expect.outputs, name)) return [];
      const at = quoteLast(transcript, "USER");
      return [{ ...at, message: `The output ${name} does not fit its schema: ${errors.join("; ")}` }];
    }),
  OPT_OUT_IGNORED: ({ optOutTurn, optOut, transcript }) => {
    if (optOutTurn === null || optOut) return [];
    const message = "The person asked not to be called again, and the number was not put on the do-not-call list.";
    return [{ ...quoteTurn(transcript, optOutTurn), message }];
  },
  LIMIT_REACHED: ({ endReason, transcript, turns, callMs }, { expect }) => {
    const limit = LIMITS[endReason];
    if (!limit || expect.endReason !== undefined) return [];
    const message = `The conversation did not end by itself: it reached ${limit} after ${turns} turns of the agent and ${Math.round(callMs / 1_000)} s. Expect endReason ${endReason} if that is meant to be.`;
    return [{ ...quoteLast(transcript), message }];
  },
};

/** Runs the always-on checks, except those that the scenario switches off. */
export function runAlwaysChecks(record: ConversationRecord, scenario: Scenario): Failure[] {
  const wanted = Object.entries(CHECKS).filter(([code]) => !scenario.ignore.includes(code as AlwaysOnCheck));
  return wanted.flatMap(([code, check]) =>
    check(record, scenario).map((failure) => ({ code, path: code, ...failure })),
  );
}

/** Returns the failure of a conversation that had to be ended from outside; null when it ended by itself. */
export function findStall({ stalledMs, transcript }: ConversationRecord): Failure | null {
  if (stalledMs === null) return null;
  const at = quoteLast(transcript);
  const since = at.turn === null ? "from its start" : `after turn ${at.turn}`;
  const message = `Nothing happened for ${stalledMs / 1_000} s ${since}, so the conversation was ended.`;
  return { code: "STALLED", path: "STALLED", ...at, message };
}

function ofCalls(
  { mocked, toolCalls, transcript }: ConversationRecord,
  fault: "NOT_MOCKED" | "FAILED",
  describe: (call: ConversationRecord["mocked"][number]) => string,
): Omit<Failure, "code" | "path">[] {
  return mocked
    .filter((call) => call.fault === fault)
    .map((call) => {
      const shown = toolCalls.find(
        ({ name, input, turn }) => turn !== null && name === call.name && input === call.input,
      );
      const at: QuotedTurn = shown ? quoteTurn(transcript, shown.turn) : quoteLast(transcript);
      return { ...at, message: describe(call) };
    });
}

/** Returns calls that failed before a mock was asked: of system tools, of unknown tools, of too many. */
function unmockedFailures({ mocked, toolCalls, transcript }: ConversationRecord): Omit<Failure, "code" | "path">[] {
  return toolCalls
    .filter((call) => call.failed && !mocked.some(({ name, input }) => name === call.name && input === call.input))
    .map(({ turn, name, result }) => ({ ...quoteTurn(transcript, turn), message: `${name} ${result}` }));
}
