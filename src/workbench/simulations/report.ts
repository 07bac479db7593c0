import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { FilledOutput, SessionEndReason, Turn } from "#src/engine/conversation/plan.ts";
import type { PersonaNote } from "#src/engine/personas/reaction.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import type { RowOutcome, RowStatus } from "#src/interactions/calls/states.ts";
import type { FlowReference } from "./prepared-flow.ts";

/** A failed check or expectation. */
export interface Failure {
  code: string;
  /** The expectation, such as `fields.confirmed`; the code again for always-on checks. */
  path: string;
  /** 1-based line of the transcript; null where there is no line. */
  turn: number | null;
  message: string;
  /** Text of that line. */
  quote: string | null;
}

/** A call of a tool in a simulated conversation. */
export interface SimulatedCall {
  /** 1-based line of the transcript; null for calls that it does not show. */
  turn: number | null;
  name: string;
  input: Record<string, unknown>;
  result: string;
  failed: boolean;
}

/** One conversation and its failures. */
export interface ConversationReport {
  seed: number;
  passed: boolean;
  failures: Failure[];
  /** The status that a call row would get. */
  outcome: RowStatus;
  /** The outcome that a call row would get. */
  callOutcome: RowOutcome;
  endReason: SessionEndReason;
  answeredBy: AnsweredBy;
  /** Lines of the agent. */
  turns: number;
  callMs: number;
  longestSilenceMs: number;
  fields: Record<string, unknown>;
  outputs: Record<string, FilledOutput>;
  toolCalls: SimulatedCall[];
  /** True when the number was put on the do-not-call list. */
  optOut: boolean;
  /** A decimal in the currency of the report. */
  cost: string;
  inputTokens: number;
  outputTokens: number;
  transcript: Turn[];
  /** Facts that the person's words do not show: that their model failed, that they opted out. */
  personaNotes: PersonaNote[];
  error: { code: string; message: string } | null;
  /** Stages that it walked through; empty without stages. */
  stagePath: StageVisit[];
}

/** Edges of the flow's stages that the conversations of a suite took. */
export interface EdgeCoverage {
  covered: number;
  total: number;
  /** `sessions`: conversations that took the edge. */
  edges: { stageId: string; edgeId: string; to: string; label: string; covered: boolean; sessions: number }[];
  /** Stages that no conversation entered. */
  unreachedStages: string[];
}

/** All repetitions of a scenario. */
export interface ScenarioReport {
  name: string;
  persona: string;
  passed: boolean;
  repetitions: number;
  passedRepetitions: number;
  passRate: number;
  requiredPassRate: number;
  /** 95 % confidence interval of the true pass rate (Wilson). */
  interval: { low: number; high: number };
  conversations: ConversationReport[];
}

/** Results of a suite. */
export interface SuiteReport {
  suite: string;
  flow: FlowReference;
  channel: "VOICE" | "CHAT";
  mode: "TEXT" | "AUDIO";
  model: string;
  seed: number;
  passed: boolean;
  conversations: number;
  passedConversations: number;
  /** Wall-clock time; the only figure that differs from one run to the next. */
  durationMs: number;
  callMs: number;
  cost: string;
  currency: string;
  inputTokens: number;
  outputTokens: number;
  scenarios: ScenarioReport[];
  /** Absent for a flow without stages. */
  edgeCoverage?: EdgeCoverage;
  /** Names of the suite's scenarios that the run was not asked for, or could not hold in audio; absent: none. */
  leftOut?: string[];
  warnings: string[];
}

const COST_DECIMALS = 6;

/** Returns an amount of money as a decimal without trailing zeros. */
export function toDecimal(amount: number): string {
  return amount.toFixed(COST_DECIMALS).replace(/\.?0+$/, "");
}
