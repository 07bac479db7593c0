import type { ToolCall, ToolOffer } from "#src/engine/models/models.ts";
import type { ModelLimits } from "./agent-turn.ts";
import { newOptOutState, type OptOutState } from "./opt-out-state.ts";
import { type EnginePhrases, phrasesFor } from "./phrases.ts";
import type { Citation, SessionEndReason, SessionGrants, SessionLimits, SessionPlan } from "./plan.ts";
import type { GrantedPorts, SessionPorts } from "./ports.ts";
import {
  REQUEST_HUMAN_IN_CALL,
  REQUEST_HUMAN_IN_CHAT,
  SYSTEM_TOOL_SPECS,
  type SystemToolSpec,
} from "./system-tool-list.ts";
import type { GrantedTool, ToolRunResult } from "./tool-port.ts";
import type { TranscribedLine } from "./transcribed-line.ts";

const DEFAULT_LIMITS: SessionLimits = {
  maxTurns: 60,
  maxToolCalls: 50,
  maxModelTokens: 500_000,
  maxCost: null,
  maxHistoryTokens: 24_000,
};
const NO_GRANTS: SessionGrants = { tools: [], systemTools: [], transferTargets: [] };

/** The flow's first words, of which the person must hear every one: disclosures are among them. */
export interface Opening {
  whole: string;
  /** Where in it the sentence begins that was not heard whole. */
  from: number;
  tries: number;
}

const ALWAYS_OFFERED: ToolOffer[] = SYSTEM_TOOL_SPECS.filter(({ always }) => always).map(toOffer);
const OFFERED_IN_CHATS: ToolOffer[] = [...ALWAYS_OFFERED, toOffer(REQUEST_HUMAN_IN_CHAT)];
const OFFERED_WITHOUT_TRANSFER: ToolOffer[] = [...ALWAYS_OFFERED, toOffer(REQUEST_HUMAN_IN_CALL)];

function toOffer({ name, description, parameters }: SystemToolSpec): ToolOffer {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter.name, { type: parameter.type }]));
  return { name, description, inputSchema: { type: "object", properties } };
}

/** Returns the tools that a session with these grants has, whatever its flow names. */
export function offeredAlways(channel: SessionPlan["channel"], grants: SessionGrants = NO_GRANTS): ToolOffer[] {
  if (channel === "CHAT") return OFFERED_IN_CHATS;
  const isTransferable =
    grants.systemTools.some(({ name }) => name === "transfer_call") || grants.tools.some((tool) => tool.handsOver);
  return isTransferable ? ALWAYS_OFFERED : OFFERED_WITHOUT_TRANSFER;
}

/** What a system tool did: its answer to the model, and what it means for the session. */
export interface SystemAnswer {
  content: string;
  /** Why the session ends; null when it goes on. */
  end: SessionEndReason | null;
}

/** A tool that works while the talk goes on. */
export interface PendingCall {
  /** Its task, when the answer comes from outside; null for a tool that is only slow. */
  readonly taskId: string | null;
  readonly call: ToolCall;
  readonly tool: GrantedTool;
  /** Set once it has come. */
  result: ToolRunResult | undefined;
  /** When, in wall-clock milliseconds, the person is told that it takes longer. */
  delayedAtMs: number;
}

/** A conversation under way: what it was given, and what it has come to so far. */
export interface SessionState {
  /** Another flow may take over. */
  plan: SessionPlan;
  ports: SessionPorts;
  readonly transcribed: TranscribedLine;
  readonly signal: AbortSignal;
  /** Everything is written, so nobody has to be kept from silence. */
  readonly isText: boolean;
  phrases: EnginePhrases;
  limits: SessionLimits;
  grants: SessionGrants;
  /** All that the model may call. */
  offers: ToolOffer[];
  /** The plan's variables, and what tools have added. */
  variables: Record<string, unknown>;
  /** What is left on a mailbox, rendered. */
  voicemailMessage: string;
  silenceMs: number;
  maxMs: number;
  readonly modelLimits: ModelLimits;
  readonly usage: { inputTokens: number; outputTokens: number };
  readonly modelMs: number[];
  /** Ends what tools still do when the talk is over. */
  readonly toolsStop: AbortController;
  /** Tools that work while the talk goes on, and what wakes a listener when one is done. */
  readonly pending: Set<PendingCall>;
  wake: AbortController;
  /** The agent has said nothing but that the person is to wait for a tool. */
  waitsForTool: boolean;
  /** What of the flow's first words is still to be heard; null: nothing. */
  opening: Opening | null;
  agentTurns: number;
  toolCalls: number;
  /** Passages that were looked up in this turn. */
  citations: Citation[];
  /** The goodbye was interrupted once already; a second time it stands. */
  resumedAfterGoodbye: boolean;
  optedOut: boolean;
  /** The person is to be answered by a human: in the chat, or by a call back. */
  wantsHuman: boolean;
  /** The person asked for a human in a call, and the agent has not spoken since. */
  isCallBackUntold: boolean;
  /** What the guard of opt-outs knows. */
  readonly optOut: OptOutState;
  /** What went wrong without ending the conversation: a template, a tool. */
  notedError: { code: string; message: string } | null;
}

/** A conversation before its first word. */
export function createSessionState(
  plan: SessionPlan,
  ports: SessionPorts,
  transcribed: TranscribedLine,
  signal: AbortSignal,
  modelStallMs: number,
): SessionState {
  return {
    ...termsOf(plan),
    ports,
    transcribed,
    signal,
    isText: plan.channel === "CHAT",
    variables: { ...plan.variables },
    voicemailMessage: "",
    toolsStop: new AbortController(),
    pending: new Set(),
    wake: new AbortController(),
    waitsForTool: false,
    toolCalls: 0,
    citations: [],
    modelLimits: { pieceMs: modelStallMs, totalMs: 3 * modelStallMs },
    usage: { inputTokens: 0, outputTokens: 0 },
    modelMs: [],
    opening: null,
    agentTurns: 0,
    resumedAfterGoodbye: false,
    optedOut: false,
    wantsHuman: false,
    isCallBackUntold: false,
    optOut: newOptOutState(),
    notedError: null,
  };
}

/** What a talk takes from its plan. */
function termsOf(plan: SessionPlan) {
  const grants = plan.grants ?? NO_GRANTS;
  const always = offeredAlways(plan.channel, grants);
  return {
    plan,
    phrases: phrasesFor(plan.flow.language),
    silenceMs: plan.flow.silenceTimeoutSeconds * 1_000,
    maxMs: plan.flow.maxDurationSeconds * 1_000,
    limits: { ...DEFAULT_LIMITS, ...plan.limits },
    grants,
    offers:
      grants.tools.length + grants.systemTools.length === 0
        ? always
        : [...always, ...grants.systemTools, ...grants.tools.map(({ offer }) => offer)],
  };
}

/** Goes on by another plan; what was said and learnt stays. */
export function switchPlan(session: SessionState, plan: SessionPlan, flowGrants: GrantedPorts): void {
  Object.assign(session, termsOf(plan));
  session.ports = { ...session.ports, ...flowGrants };
  session.variables = { ...plan.variables, ...session.variables };
}

/** What templates of tools may use. */
export function templateVariables(session: SessionState): Record<string, unknown> {
  return { ...session.variables, memory: session.plan.memory };
}

/** Returns true while somebody who supervises the talk speaks in the agent's place. */
export function isHeld({ ports }: SessionState): boolean {
  return ports.notes?.isHeld === true;
}

/** Why the talk has to end now; null when it may go on. */
export function findReachedLimit(session: SessionState): SessionEndReason | null {
  const { limits, usage, ports, transcribed } = session;
  if (session.agentTurns >= limits.maxTurns) return "LIMIT_TURNS";
  if (usage.inputTokens + usage.outputTokens >= limits.maxModelTokens) return "LIMIT_COST";
  if (limits.maxCost === null || !ports.costOf) return null;
  const cost = ports.costOf({ ...usage, elapsedMs: transcribed.elapsedMs() });
  return cost >= limits.maxCost ? "LIMIT_COST" : null;
}
