import { findStall, runAlwaysChecks } from "./always-checks.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import { describeMatcher, describeValue, matches, matchesPart, memberOf, saysWords } from "./matcher.ts";
import type { Failure, SimulatedCall } from "./report.ts";
import type { Expectations, ExpectedCall, Scenario } from "./suite.ts";
import { type QuotedTurn, quoteLast, quoteTurn } from "./transcript-quote.ts";

/** Returns all failures of a conversation: unmet expectations of its scenario first, then the always-on checks. */
export function judge(scenario: Scenario, record: ConversationRecord): Failure[] {
  const stall = findStall(record);
  // A conversation that was cut off is not judged by its results.
  if (stall) return [stall];
  const { expect } = scenario;
  return [
    ...judgeEnd(expect, record),
    ...judgeFields(expect, record),
    ...judgeTools(expect, record),
    ...judgeWords(expect, record),
    ...judgeCounts(expect, record),
    ...runAlwaysChecks(record, scenario),
  ];
}

function judgeEnd(expect: Expectations, record: ConversationRecord): Failure[] {
  const { outcome, callOutcome, endReason, optOut, transcript } = record;
  const at = quoteLast(transcript);
  const failures: Failure[] = [];
  if (expect.outcome && !expect.outcome.includes(outcome) && !expect.outcome.includes(callOutcome)) {
    const was = `${outcome} (${callOutcome}, ${endReason})`;
    const message = `The outcome should be ${expect.outcome.join(" or ")}, and is ${was}.`;
    failures.push({ code: "OUTCOME", path: "outcome", ...at, message });
  }
  if (expect.endReason && !(expect.endReason as string[]).includes(endReason)) {
    const message = `The conversation should end with ${expect.endReason.join(" or ")}, and ended with ${endReason}.`;
    failures.push({ code: "END_REASON", path: "endReason", ...at, message });
  }
  if (expect.optOut !== undefined && expect.optOut !== optOut) {
    const message = optOut
      ? "The number was put on the do-not-call list, and should not have been."
      : "The number should have been put on the do-not-call list, and was not.";
    const asked = quoteTurn(transcript, record.optOutTurn);
    failures.push({ code: "OPT_OUT", path: "optOut", ...(asked.turn === null ? at : asked), message });
  }
  return failures;
}

function judgeFields({ fields, outputs }: Expectations, record: ConversationRecord): Failure[] {
  const wrong = Object.entries(fields).flatMap(([name, matcher]): Failure[] => {
    const actual = memberOf(record.fields, name);
    if (matches(matcher, actual)) return [];
    const message = `${name} should be ${describeMatcher(matcher)}, and is ${describeValue(actual)}.`;
    return [{ code: "FIELD", path: `fields.${name}`, ...findMention(record, actual), message }];
  });
  const states = Object.entries(outputs).flatMap(([name, wanted]): Failure[] => {
    const output = Object.hasOwn(record.outputs, name) ? record.outputs[name] : undefined;
    const state = !output ? "MISSING" : output.valid ? "VALID" : "INVALID";
    if (state === wanted) return [];
    const why = output && !output.valid ? `: ${output.errors.join("; ")}` : ".";
    const message = `The output ${name} should be ${wanted}, and is ${state}${why}`;
    return [{ code: "OUTPUT", path: `outputs.${name}`, ...quoteLast(record.transcript, "USER"), message }];
  });
  return [...wrong, ...states];
}

/** Returns the line in which the person said a field's value; else their last line. */
function findMention({ transcript }: ConversationRecord, value: unknown): QuotedTurn {
  const words = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const said = transcript.findLast(({ role, content }) => role === "USER" && words !== "" && saysWords(content, words));
  return said ? quoteTurn(transcript, said.index + 1) : quoteLast(transcript, "USER");
}

function judgeTools({ tools, neverCalls }: Expectations, record: ConversationRecord): Failure[] {
  const { toolCalls, transcript } = record;
  const wrong = tools.flatMap((expected, i): Failure[] => {
    const named = toolCalls.filter(({ name }) => name === expected.call);
    const fitting = named.filter(({ input }) => matchesPart(expected.with, input));
    const wanted = expected.times ?? { atLeast: 1 };
    if (matches(wanted, fitting.length) || Number(wanted) === fitting.length) return [];
    const nearest = fitting.at(-1) ?? named.at(-1);
    const at = nearest ? quoteTurn(transcript, nearest.turn) : quoteLast(transcript);
    const message = describeCalls(expected, named, fitting.length);
    return [{ code: "TOOL_CALL", path: `tools[${i}]`, ...at, message }];
  });
  const forbidden = toolCalls
    .filter(({ name }) => neverCalls.includes(name))
    .map(({ name, turn, input }) => ({
      code: "TOOL_FORBIDDEN",
      path: "neverCalls",
      ...quoteTurn(transcript, turn),
      message: `${name} should never be called, and was called with ${describeValue(input)}.`,
    }));
  return [...wrong, ...forbidden];
}

function describeCalls({ call, with: inputs, times }: ExpectedCall, named: SimulatedCall[], count: number): string {
  const wanted = times === null ? "" : ` ${describeMatcher(times)} times`;
  const terms = Object.entries(inputs).map(([name, matcher]) => `${name} ${describeMatcher(matcher)}`);
  const withTerms = terms.length === 0 ? "" : ` with ${terms.join(", ")}`;
  const last = named.at(-1);
  const were = last === undefined ? "it was never called" : `it was called with ${describeValue(last.input)}`;
  const found = count > 0 || terms.length === 0 ? `it was called ${count} times` : were;
  return `${call} should be called${wanted}${withTerms}, and ${named.length === 0 ? were : found}.`;
}

function judgeWords({ says, neverSays }: Expectations, { transcript }: ConversationRecord): Failure[] {
  const lines = transcript.filter(({ role }) => role === "ASSISTANT");
  const missing = says.flatMap((saying, i): Failure[] => {
    if (lines.some(({ content }) => isSaid(saying, content))) return [];
    const message = `The agent should say ${describeMatcher(saying)}, and never did.`;
    return [{ code: "SAYS", path: `says[${i}]`, turn: null, quote: null, message }];
  });
  const forbidden = neverSays.flatMap((saying, i): Failure[] => {
    const line = lines.find(({ content }) => isSaid(saying, content));
    if (!line) return [];
    const message = `The agent should never say ${describeMatcher(saying)}, and did.`;
    return [{ code: "NEVER_SAYS", path: `neverSays[${i}]`, ...quoteTurn(transcript, line.index + 1), message }];
  });
  return [...missing, ...forbidden];
}

function isSaid(saying: unknown, content: string): boolean {
  return typeof saying === "string" ? saysWords(content, saying) : matches(saying, content);
}

const COUNTS = {
  turns: { code: "TURNS", what: "The agent's turns" },
  longestSilenceMs: { code: "SILENCE", what: "The longest silence, in milliseconds," },
  durationSeconds: { code: "DURATION", what: "The length of the call, in seconds," },
  cost: { code: "COST", what: "The cost" },
} as const;

function judgeCounts(expect: Expectations, record: ConversationRecord): Failure[] {
  const { transcript, turns, longestSilenceMs, callMs, cost } = record;
  const actual = { turns, longestSilenceMs, durationSeconds: callMs / 1_000, cost };
  return Object.entries(COUNTS).flatMap(([key, { code, what }]): Failure[] => {
    const matcher = expect[key as keyof typeof COUNTS];
    const value = actual[key as keyof typeof COUNTS];
    if (matcher === undefined || matches(matcher, value) || Number(matcher) === Number(value)) return [];
    const message = `${what} should be ${describeMatcher(matcher)}, and is ${String(value)}.`;
    const at = key === "longestSilenceMs" ? findSilence(record) : quoteLast(transcript);
    return [{ code, path: key, ...at, message }];
  });
}

/** Returns the line before the longest silence. */
function findSilence({ transcript, longestSilenceMs }: ConversationRecord): QuotedTurn {
  const spoken = transcript.filter(({ role }) => role === "ASSISTANT" || role === "USER");
  const before = spoken.find((turn, i) => {
    const next = spoken[i + 1];
    return next !== undefined && next.startMs - turn.endMs === longestSilenceMs;
  });
  return before ? quoteTurn(transcript, before.index + 1) : quoteLast(transcript);
}
