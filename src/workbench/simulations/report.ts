import type { FilledOutput, SessionEndReason, Turn } from "#src/engine/conversation/plan.ts";
import type { PersonaNote } from "#src/engine/personas/reaction.ts";
import type { RowOutcome, RowStatus } from "#src/interactions/calls/states.ts";
import type { AnsweredBy } from "#src/telephony/carriers/carrier.ts";
import type { FlowReference } from "./prepared-flow.ts";

/** One thing that is not as it should be. */
export interface Failure {
  code: string;
  /** The expectation, such as `fields.confirmed`; the code again for what is always checked. */
  path: string;
  /** 1-based line of the transcript; null where there is no line. */
  turn: number | null;
  message: string;
  /** What that line says. */
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

/** One conversation, and what was wrong with it. */
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
  /** The number was put on the do-not-call list. */
  optOut: boolean;
  /** A decimal in the currency of the report. */
  cost: string;
  inputTokens: number;
  outputTokens: number;
  transcript: Turn[];
  /** What the person's words alone do not tell: that their model failed, that they opted out. */
  personaNotes: PersonaNote[];
  error: { code: string; message: string } | null;
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
  /** Where the true pass rate lies, with 95 % confidence (Wilson). */
  interval: { low: number; high: number };
  conversations: ConversationReport[];
}

/** All that came of a suite. */
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
  warnings: string[];
}

const COST_DECIMALS = 6;

/** An amount of money as a decimal without needless zeros. */
export function toDecimal(amount: number): string {
  return amount.toFixed(COST_DECIMALS).replace(/\.?0+$/, "");
}
