import { END_REASONS } from "#src/engine/conversation/plan.ts";
import { ROW_OUTCOMES, TERMINAL_STATUSES } from "#src/interactions/calls/states.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Cursor } from "./cursor.ts";
import { compilePattern, isOperatorMapping, OPERATORS, TYPES } from "./matcher.ts";
import type { Expectations, ExpectedCall } from "./suite.ts";

const KEYS = [
  "outcome",
  "endReason",
  "fields",
  "outputs",
  "tools",
  "neverCalls",
  "says",
  "neverSays",
  "turns",
  "longestSilenceMs",
  "durationSeconds",
  "cost",
  "optOut",
] as const;
const COUNTED = ["turns", "longestSilenceMs", "durationSeconds", "cost"] as const;
const MAX_DEPTH = 20;
const OUTCOMES = [...new Set<string>([...TERMINAL_STATUSES, ...ROW_OUTCOMES])];

/** Expects nothing. */
export const NO_EXPECTATIONS: Expectations = {
  fields: {},
  outputs: {},
  tools: [],
  neverCalls: [],
  says: [],
  neverSays: [],
};

/** Reads `expect`. */
export function readExpectations(cursor: Cursor): Expectations {
  if (!cursor.isMappingOf(KEYS)) return NO_EXPECTATIONS;
  const outcome = cursor.at("outcome").items("outcomes", { orOne: true });
  const endReason = cursor.at("endReason").items("end reasons", { orOne: true });
  const optOut = cursor.at("optOut").flag();
  const expectations: Expectations = {
    fields: readMatchers(cursor.at("fields"), "fields"),
    outputs: Object.fromEntries(
      cursor
        .at("outputs")
        .members("outputs")
        .flatMap(([name, one]) => {
          const state = one.oneOf(["VALID", "INVALID", "MISSING"]);
          return state ? [[name, state]] : [];
        }),
    ),
    tools: cursor
      .at("tools")
      .items("calls")
      .flatMap((one) => readCall(one) ?? []),
    neverCalls: cursor
      .at("neverCalls")
      .items("tools", { orOne: true })
      .flatMap((one) => one.text() ?? []),
    says: readSayings(cursor.at("says")),
    neverSays: readSayings(cursor.at("neverSays")),
    ...(outcome.length > 0 ? { outcome: outcome.flatMap((one) => one.oneOf(OUTCOMES) ?? []) } : {}),
    ...(endReason.length > 0 ? { endReason: endReason.flatMap((one) => one.oneOf(END_REASONS) ?? []) } : {}),
    ...(optOut === undefined ? {} : { optOut }),
  };
  for (const key of COUNTED) {
    const one = cursor.at(key);
    if (one.isAbsent) continue;
    checkCount(one);
    expectations[key] = one.value;
  }
  return expectations;
}

/** Merges the expectations of the suite with those of a scenario, which take precedence. */
export function joinExpectations(suite: Expectations, own: Expectations): Expectations {
  return {
    ...suite,
    ...own,
    fields: { ...suite.fields, ...own.fields },
    outputs: { ...suite.outputs, ...own.outputs },
    tools: [...suite.tools, ...own.tools],
    neverCalls: [...suite.neverCalls, ...own.neverCalls],
    says: [...suite.says, ...own.says],
    neverSays: [...suite.neverSays, ...own.neverSays],
  };
}

/** Reads a mapping of matchers by name. */
export function readMatchers(cursor: Cursor, what: string): Record<string, unknown> {
  return Object.fromEntries(
    cursor.members(what).map(([name, one]) => {
      checkMatcher(one, 0);
      return [name, one.value];
    }),
  );
}

function readCall(cursor: Cursor): ExpectedCall | undefined {
  if (typeof cursor.value === "string") {
    const name = cursor.text();
    return name === undefined ? undefined : { call: name, with: {}, times: null };
  }
  if (!cursor.isMappingOf(["call", "with", "times"])) return cursor.isAbsent ? cursor.fail("is empty.") : undefined;
  const call = cursor.at("call");
  if (call.isAbsent) return cursor.fail("must say which tool it is about (call).");
  const times = cursor.at("times");
  if (!times.isAbsent) checkCount(times);
  const name = call.text();
  if (name === undefined) return undefined;
  return { call: name, with: readMatchers(cursor.at("with"), "inputs"), times: times.value ?? null };
}

function readSayings(cursor: Cursor): unknown[] {
  return cursor.items("texts", { orOne: true }).flatMap((one): unknown[] => {
    if (!isOperatorMapping(one.value)) return [one.text()].filter((text) => text !== undefined);
    checkMatcher(one, 0);
    return [one.value];
  });
}

/** Checks a number, or operators on one. */
function checkCount(cursor: Cursor): void {
  const { value } = cursor;
  if (typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value))) return;
  if (isOperatorMapping(value)) return checkMatcher(cursor, 0);
  if (!cursor.isMappingOf(OPERATORS)) cursor.fail("must be a number, or a mapping such as {atMost: 12}.");
}

function checkMatcher(cursor: Cursor, depth: number): void {
  const { value } = cursor;
  if (depth > MAX_DEPTH) return cursor.fail(`is nested more than ${MAX_DEPTH} levels deep.`);
  if (Array.isArray(value)) {
    for (const item of cursor.items("values")) checkMatcher(item, depth + 1);
    return;
  }
  const isOperator = isOperatorMapping(value);
  if (value === null || typeof value !== "object") return;
  for (const [key, one] of cursor.members("values")) {
    if (isOperator) checkOperand(key, one, depth);
    else checkMatcher(one, depth + 1);
  }
}

function checkOperand(operator: string, cursor: Cursor, depth: number): void {
  const { value } = cursor;
  if (operator === "not" || operator === "contains") return checkMatcher(cursor, depth + 1);
  if (operator === "oneOf") {
    if (!Array.isArray(value)) return cursor.fail("must be a list of values.");
    return checkMatcher(cursor, depth + 1);
  }
  if (operator === "matches") return checkPattern(cursor);
  if (operator === "exists") {
    if (typeof value !== "boolean") cursor.fail("must be true or false.");
    return;
  }
  if (operator === "type") return checkType(cursor);
  if (operator !== "is" && typeof value !== "number" && typeof value !== "string")
    cursor.fail("must be a number or a text.");
}

function checkType(cursor: Cursor): void {
  if (cursor.isAbsent) cursor.fail("is empty.");
  cursor.oneOf(TYPES);
}

function checkPattern(cursor: Cursor): void {
  if (typeof cursor.value !== "string") return cursor.fail("must be a regular expression in quotes.");
  if (cursor.value.length > 1_000) return cursor.fail("is longer than 1000 characters.");
  try {
    compilePattern(cursor.value);
  } catch (error) {
    cursor.fail(`is no regular expression (RE2): ${toError(error).message}`);
  }
}
