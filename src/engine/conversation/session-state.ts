import { addUsage, type TokenUsage, type ToolCall, type ToolOffer } from "#src/engine/models/models.ts";
import type { ModelLimits } from "./agent-turn.ts";
import { DEFAULT_HISTORY_TOKENS } from "./history.ts";
import { openStages, type StageRun } from "./open-stages.ts";
import { newOptOutState, type OptOutState } from "./opt-out-state.ts";
import { type EnginePhrases, phrasesFor } from "./phrases.ts";
import type { Citation, SessionEndReason, SessionGrants, SessionLimits, SessionPlan } from "./plan.ts";
import type { GrantedPorts, SessionPorts } from "./ports.ts";
import type { SessionTexts } from "./prompt.ts";
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
  maxHistoryTokens: DEFAULT_HISTORY_TOKENS,
};
const NO_GRANTS: SessionGrants = { tools: [], systemTools: [], transferTargets: [] };

/** The flow's first message, which the person must hear in full because it contains disclosures. */
export interface Opening {
  whole: string;
  /** Character index at which the first sentence begins that was not heard whole. */
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

/** Returns the tools that a session with these grants has in addition to those that its flow names. */
export function offeredAlways(channel: SessionPlan["channel"], grants: SessionGrants = NO_GRANTS): ToolOffer[] {
  if (channel === "CHAT") return OFFERED_IN_CHATS;
  const isTransferable =
    grants.systemTools.some(({ name }) => name === "transfer_call") || grants.tools.some((tool) => tool.handsOver);
  return isTransferable ? ALWAYS_OFFERED : OFFERED_WITHOUT_TRANSFER;
}

/** Result of a system tool: its answer to the model, and its effect on the session. */
export interface SystemAnswer {
  content: string;
  /** Reason why the session ends; null when it goes on. */
  end: SessionEndReason | null;
}

/** A tool call that runs while the conversation goes on. */
export interface PendingToolCall {
  /** Its task, when the result comes from outside; null for a tool that is only slow. */
  readonly taskId: string | null;
  readonly call: ToolCall;
  readonly tool: GrantedTool;
  /** Set once the result has come. */
  result: ToolRunResult | undefined;
  /** Time by `performance.now()` at which the person hears that the tool takes longer; Infinity: never. */
  delayedAtMs: number;
}

/** State of a conversation under way. */
export interface SessionState {
  /** Replaced when another flow takes over. */
  plan: SessionPlan;
  ports: SessionPorts;
  readonly transcribed: TranscribedLine;
  readonly signal: AbortSignal;
  /** True for a chat: no silence has to be filled. */
  readonly isText: boolean;
  phrases: EnginePhrases;
  limits: SessionLimits;
  grants: SessionGrants;
  /** All tools that the model may call. */
  offers: ToolOffer[];
  /** The plan's variables, and those that tools have set. */
  variables: Record<string, unknown>;
  /** Rendered message for a mailbox. */
  voicemailMessage: string;
  silenceMs: number;
  maxMs: number;
  readonly modelLimits: ModelLimits;
  readonly usage: TokenUsage;
  /** Tokens of the turns before this run. */
  readonly usedBefore: TokenUsage;
  readonly modelMs: number[];
  /** Aborts the tools that still run when the session ends. */
  readonly toolsStop: AbortController;
  /** Tools that run while the conversation goes on. `wake` interrupts listening when one is done. */
  readonly pending: Set<PendingToolCall>;
  wake: AbortController;
  /** The agent has only asked the person to wait for a tool. */
  waitsForTool: boolean;
  /** Number of messages at the start that are the flow's texts: its instructions, and the examples of its tools. */
  textCount: number;
  /** The part of the flow's first message that is still to be heard; null when none is. */
  opening: Opening | null;
  agentTurns: number;
  toolCalls: number;
  /** Passages that were looked up in this turn. */
  citations: Citation[];
  /** A goodbye was interrupted once already; the next one stands. */
  resumedAfterGoodbye: boolean;
  optedOut: boolean;
  /** The person waits for a human: in the chat, or for a call back. */
  wantsHuman: boolean;
  /** The person asked for a human in a call, and the agent has not spoken since. */
  isCallBackUntold: boolean;
  /** State of the opt-out guard. */
  readonly optOut: OptOutState;
  /** Walk through the plan's stages; null: it has none. */
  stages: StageRun | null;
  /** First fault that did not end the conversation, of a template or a tool for example. */
  notedError: { code: string; message: string } | null;
}

/** Creates the state of a conversation before its first word. */
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
    usedBefore: plan.used ?? { inputTokens: 0, outputTokens: 0 },
    modelMs: [],
    textCount: 0,
    opening: null,
    agentTurns: 0,
    resumedAfterGoodbye: false,
    optedOut: false,
    wantsHuman: false,
    isCallBackUntold: false,
    optOut: newOptOutState(),
    stages: openStages(plan, ports, null),
    notedError: null,
  };
}

/** Returns the part of the session state that comes from its plan. */
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

/** Switches to another plan; the transcript and the variables stay. */
export function switchPlan(session: SessionState, plan: SessionPlan, ports: GrantedPorts): void {
  Object.assign(session, termsOf(plan));
  session.ports = { ...session.ports, ...ports };
  session.variables = { ...plan.variables, ...session.variables };
  const path = session.stages?.state.path ?? [];
  session.stages = openStages(plan, session.ports, path, session.transcribed.turns.length);
}

/**
 * Puts a flow's instructions and examples at the start of the conversation, in the place of those that stand there.
 * Examples are not the person's words, so they are not judged.
 */
export function placeTexts(session: SessionState, { system, examples }: SessionTexts): void {
  const { transcribed, optOut } = session;
  transcribed.messages.splice(0, session.textCount, system, ...examples);
  optOut.judged += 1 + examples.length - session.textCount;
  session.textCount = 1 + examples.length;
}

/** Returns the variables for templates of tools. */
export function templateVariables(session: SessionState): Record<string, unknown> {
  return { ...session.variables, memory: session.plan.memory };
}

/** Returns true while a supervisor speaks in the agent's place. */
export function isHeld({ ports }: SessionState): boolean {
  return ports.notes?.isHeld === true;
}

/** Returns the limit that ends the session now; null when none is reached. */
export function findReachedLimit(session: SessionState): SessionEndReason | null {
  const { limits, ports, transcribed, isText } = session;
  if (session.agentTurns >= limits.maxTurns) return "LIMIT_TURNS";
  const used = { ...session.usedBefore };
  addUsage(used, session.usage);
  if (used.inputTokens + used.outputTokens >= limits.maxModelTokens) return "LIMIT_COST";
  if (limits.maxCost === null || !ports.costOf) return null;
  // Nobody is on a line while a chat's model thinks.
  const cost = ports.costOf({ ...used, elapsedMs: isText ? 0 : transcribed.elapsedMs() });
  return cost >= limits.maxCost ? "LIMIT_COST" : null;
}
