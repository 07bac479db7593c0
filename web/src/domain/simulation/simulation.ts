import type { FilledOutput, Simulation as SdkSimulation, SimulationState, StageVisit } from "@parley/sdk";
import { formatMilliseconds, formatSpan } from "#web/ui/format/format.ts";

/** A failed check; `turn` is the 1-based line of the transcript. */
export interface Failure {
  code: string;
  path: string;
  turn: number | null;
  message: string;
  quote: string | null;
}

/** A line of a simulated conversation. */
export interface SimulatedLine {
  index: number;
  role: string;
  content: string;
  startMs: number;
}

/** One conversation of a run. */
export interface Conversation {
  seed: number;
  passed: boolean;
  failures: Failure[];
  outcome: string;
  endReason: string;
  answeredBy: string;
  turns: number;
  callMs: number;
  longestSilenceMs: number;
  outputs: Record<string, FilledOutput>;
  cost: string;
  transcript: SimulatedLine[];
  /** Stages that it walked through; empty without stages. */
  stagePath: StageVisit[];
  error: { code: string; message: string } | null;
}

/** All repetitions of a scenario. */
export interface Scenario {
  name: string;
  persona: string;
  passed: boolean;
  repetitions: number;
  passedRepetitions: number;
  passRate: number;
  requiredPassRate: number;
  interval: { low: number; high: number };
  conversations: Conversation[];
}

/** The edges of a flow's stages that the conversations of a run took. */
export interface EdgeCoverage {
  covered: number;
  total: number;
  /** `sessions`: conversations that took the edge; `label` is empty where it has none. */
  edges: { stageId: string; edgeId: string; to: string; label: string; covered: boolean; sessions: number }[];
  /** Stages that no conversation entered. */
  unreachedStages: string[];
}

/** Result of a suite. */
export interface Report {
  suite: string;
  channel: string;
  mode: string;
  model: string;
  passed: boolean;
  conversations: number;
  passedConversations: number;
  durationMs: number;
  cost: string;
  currency: string;
  scenarios: Scenario[];
  /** Present for a flow with stages. */
  edgeCoverage?: EdgeCoverage;
  warnings: string[];
}

interface Change<T> {
  before: T;
  after: T;
}

/** Differences between a conversation and the one with the same seed in the previous run. */
export interface ConversationChange {
  seed: number;
  passed: Change<boolean> | null;
  outcome: Change<string> | null;
  endReason: Change<string> | null;
  turns: Change<number> | null;
  cost: Change<string> | null;
  fields: (Change<unknown> & { name: string })[];
  firstDifference: (Change<string | null> & { turn: number }) | null;
}

/** Differences between a run and the previous one. */
export interface Comparison {
  passed: Change<boolean>;
  passedConversations: Change<number>;
  conversations: Change<number>;
  scenarios: {
    name: string;
    change: string;
    passRate: (Change<number> & { isApart: boolean }) | null;
    conversations: ConversationChange[];
  }[];
  isSame: boolean;
}

/** A run with its report. */
export interface Simulation extends Omit<SdkSimulation, "report" | "comparison"> {
  report: Report | null;
  comparison: Comparison | null;
}

/** True until the run cannot change any more. */
export function isRunning({ state }: { state: SimulationState }): boolean {
  return state === "QUEUED" || state === "RUNNING";
}

/** Milliseconds between reads of a run under way. */
export const WATCH_MS = 700;

/** Duration of a run as text: most take milliseconds, those in audio minutes. */
export function formatTook(ms: number | null): string {
  return ms === null || ms < 10_000 ? formatMilliseconds(ms) : formatSpan(ms / 1_000);
}
