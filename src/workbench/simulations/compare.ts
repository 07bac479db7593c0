import { memberOf } from "./matcher.ts";
import { type ConversationReport, type ScenarioReport, type SuiteReport, toDecimal } from "./report.ts";

/** Change of a scenario from one run to the next. */
export type ScenarioChange =
  | "NEWLY_FAILING"
  | "NEWLY_PASSING"
  | "STILL_FAILING"
  | "STILL_PASSING"
  | "ADDED"
  | "REMOVED";

/** A value before and after. */
export interface Change<Value> {
  before: Value;
  after: Value;
}

/** A pass rate before and after. */
export interface RateChange extends Change<number> {
  /** True when the confidence intervals do not overlap: the change is not caused by the seeds. */
  isApart: boolean;
}

/** Differences of a conversation from the earlier one with the same seed. */
export interface ConversationChange {
  seed: number;
  passed: Change<boolean> | null;
  outcome: Change<string> | null;
  endReason: Change<string> | null;
  turns: Change<number> | null;
  cost: Change<string> | null;
  fields: (Change<unknown> & { name: string })[];
  /**
   * The first line of the transcripts that differs, 1-based; `before` or `after` is null when that transcript is
   * shorter.
   */
  firstDifference: (Change<string | null> & { turn: number }) | null;
}

/** Differences of a scenario from the earlier run. */
export interface ScenarioComparison {
  name: string;
  change: ScenarioChange;
  /** Null where the scenario was not in both runs. */
  passRate: RateChange | null;
  /** Conversations of the same seed that differ. */
  conversations: ConversationChange[];
}

/** Differences of a run from the earlier one, in the scenarios that neither run left out. */
export interface Comparison {
  passed: Change<boolean>;
  passedConversations: Change<number>;
  conversations: Change<number>;
  /** Null when a report was too large to keep the cost of each conversation. */
  cost: Change<string> | null;
  scenarios: ScenarioComparison[];
  /** True when no visible difference exists. */
  isSame: boolean;
}

/** Compares two runs of a suite, scenario by scenario. What one of them left out is not compared. */
export function compareReports(earlierRun: SuiteReport, laterRun: SuiteReport): Comparison {
  const before = withoutScenarios(earlierRun, laterRun.leftOut ?? []);
  const after = withoutScenarios(laterRun, earlierRun.leftOut ?? []);
  const earlier = new Map(before.scenarios.map((scenario) => [scenario.name, scenario]));
  const names = new Set(after.scenarios.map(({ name }) => name));
  const scenarios = [
    ...after.scenarios.map((scenario) => compareScenario(earlier.get(scenario.name), scenario)),
    ...before.scenarios
      .filter(({ name }) => !names.has(name))
      .map(({ name }): ScenarioComparison => ({ name, change: "REMOVED", passRate: null, conversations: [] })),
  ];
  return {
    passed: { before: before.passed, after: after.passed },
    passedConversations: { before: before.passedConversations, after: after.passedConversations },
    conversations: { before: before.conversations, after: after.conversations },
    cost: before.cost === null || after.cost === null ? null : { before: before.cost, after: after.cost },
    scenarios,
    isSame: !scenarios.some(hasChanged),
  };
}

/** True for a scenario with a visible difference; with other seeds or repetitions it may be the pass rate alone. */
export function hasChanged({ change, passRate, conversations }: ScenarioComparison): boolean {
  return !change.startsWith("STILL") || passRate?.before !== passRate?.after || conversations.length > 0;
}

interface Figures extends Pick<SuiteReport, "passed" | "conversations" | "passedConversations" | "scenarios"> {
  cost: string | null;
}

/** Returns a report's figures without some of its scenarios. */
function withoutScenarios(report: SuiteReport, names: readonly string[]): Figures {
  const scenarios = report.scenarios.filter(({ name }) => !names.includes(name));
  if (scenarios.length === report.scenarios.length) return report;
  const sum = (of: (one: ScenarioReport) => number): number => scenarios.reduce((total, one) => total + of(one), 0);
  const isWhole = scenarios.every(({ conversations, repetitions }) => conversations.length === repetitions);
  const cost = sum(({ conversations }) => conversations.reduce((total, one) => total + Number(one.cost), 0));
  return {
    passed: scenarios.every(({ passed }) => passed),
    conversations: sum(({ repetitions }) => repetitions),
    passedConversations: sum(({ passedRepetitions }) => passedRepetitions),
    cost: isWhole ? toDecimal(cost) : null,
    scenarios,
  };
}

function compareScenario(before: ScenarioReport | undefined, after: ScenarioReport): ScenarioComparison {
  const { name } = after;
  if (!before) return { name, change: "ADDED", passRate: null, conversations: [] };
  const isApart = before.interval.high < after.interval.low || after.interval.high < before.interval.low;
  const bySeed = new Map(before.conversations.map((conversation) => [conversation.seed, conversation]));
  return {
    name,
    change: changeOf(before.passed, after.passed),
    passRate: { before: before.passRate, after: after.passRate, isApart },
    conversations: after.conversations.flatMap((conversation) => {
      const earlier = bySeed.get(conversation.seed);
      return earlier ? (compareConversation(earlier, conversation) ?? []) : [];
    }),
  };
}

function changeOf(before: boolean, after: boolean): ScenarioChange {
  if (before) return after ? "STILL_PASSING" : "NEWLY_FAILING";
  return after ? "NEWLY_PASSING" : "STILL_FAILING";
}

/** Returns the differences; null when there are none. */
function compareConversation(before: ConversationReport, after: ConversationReport): ConversationChange | null {
  const change: ConversationChange = {
    seed: after.seed,
    passed: differ(before.passed, after.passed),
    outcome: differ<string>(before.outcome, after.outcome),
    endReason: differ<string>(before.endReason, after.endReason),
    turns: differ(before.turns, after.turns),
    cost: differ(before.cost, after.cost),
    fields: compareFields(before.fields, after.fields),
    firstDifference: findDifference(before, after),
  };
  const { seed: _seed, fields, ...others } = change;
  return fields.length > 0 || Object.values(others).some((one) => one !== null) ? change : null;
}

function differ<Value>(before: Value, after: Value): Change<Value> | null {
  return before === after ? null : { before, after };
}

function compareFields(before: Record<string, unknown>, after: Record<string, unknown>): ConversationChange["fields"] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => ({ name, before: memberOf(before, name) ?? null, after: memberOf(after, name) ?? null }))
    .filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after));
}

function findDifference(before: ConversationReport, after: ConversationReport): ConversationChange["firstDifference"] {
  const [a, b] = [before.transcript, after.transcript];
  if (isLeftOut(before) || isLeftOut(after)) return null;
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (a[at]?.role === b[at]?.role && a[at]?.content === b[at]?.content) continue;
    return { turn: at + 1, before: a[at]?.content ?? null, after: b[at]?.content ?? null };
  }
  return null;
}

/**
 * True when the words were left out: large reports keep a conversation's counts only, so a difference cannot be
 * determined.
 */
function isLeftOut({ transcript, turns }: ConversationReport): boolean {
  return transcript.length === 0 && turns > 0;
}
