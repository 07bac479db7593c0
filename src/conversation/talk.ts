import type { ModelLimits } from "./agent-turn.ts";
import type { Floor } from "./floor.ts";
import { type EnginePhrases, phrasesFor } from "./phrases.ts";
import type { SessionPlan } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";

/** A conversation under way: what it was given, and what it has come to so far. */
export interface Talk {
  readonly plan: SessionPlan;
  readonly ports: SessionPorts;
  readonly floor: Floor;
  readonly signal: AbortSignal;
  readonly phrases: EnginePhrases;
  readonly silenceMs: number;
  readonly maxMs: number;
  readonly modelLimits: ModelLimits;
  readonly usage: { inputTokens: number; outputTokens: number };
  readonly modelMs: number[];
  agentTurns: number;
  /** The goodbye was interrupted once already; a second time it stands. */
  resumedAfterGoodbye: boolean;
  optedOut: boolean;
  /** What went wrong without ending the conversation: a template, a tool. */
  notedError: { code: string; message: string } | null;
}

/** A conversation before its first word. */
export function createTalk(
  plan: SessionPlan,
  ports: SessionPorts,
  floor: Floor,
  signal: AbortSignal,
  modelStallMs: number,
): Talk {
  return {
    plan,
    ports,
    floor,
    signal,
    phrases: phrasesFor(plan.flow.language),
    silenceMs: plan.flow.silenceTimeoutSeconds * 1_000,
    maxMs: plan.flow.maxDurationSeconds * 1_000,
    modelLimits: { firstPieceMs: modelStallMs, totalMs: 3 * modelStallMs },
    usage: { inputTokens: 0, outputTokens: 0 },
    modelMs: [],
    agentTurns: 0,
    resumedAfterGoodbye: false,
    optedOut: false,
    notedError: null,
  };
}
