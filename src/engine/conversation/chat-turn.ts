import type { Line } from "#src/audio/line/line.ts";
import type { LanguageModel, TokenUsage, ToolCall } from "#src/engine/models/models.ts";
import type { StageState } from "#src/engine/stages/stage-state.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { ModelError } from "./agent-turn.ts";
import { askedForHuman, type ChatEntry, countToolCalls, readHistory } from "./chat-history.ts";
import { takeAgentTurn } from "./converse.ts";
import { type Extraction, extractOutputs, selectOutputs } from "./extraction.ts";
import { handoffText } from "./handoff.ts";
import { zoneOf } from "./local-clock.ts";
import { heedOptOut } from "./opt-out-guard.ts";
import type { SessionEndReason, SessionPlan, Turn, ValidateOutput } from "./plan.ts";
import type { GrantedPorts } from "./ports.ts";
import { lookUpFirst } from "./proactive.ts";
import { renderTexts } from "./prompt.ts";
import { createSessionState, placeTexts, type SessionState } from "./session-state.ts";
import { TranscribedLine } from "./transcribed-line.ts";

const MODEL_STALL_MS = 12_000;

/** Ports of a chat. */
export interface ChatPorts extends GrantedPorts {
  model: LanguageModel;
  now(): Date;
  validate: ValidateOutput;
  /** Adds the person's number to the do-not-call list; rejects when that fails. */
  addToDoNotCall(): Promise<void>;
  /** Milliseconds of wall-clock time that the model may take to its first piece; 12,000 by default. */
  modelStallMs?: number;
}

/** Result of one turn of the agent in a chat. */
export interface ChatTurn {
  replies: Pick<Turn, "role" | "content" | "toolCallId" | "citations" | "disclosure">[];
  /** Variables that tools have set, for the turns that follow. */
  variables: Record<string, unknown>;
  /** The plan that took over by a transfer to another flow; null when none did. */
  openedFlow: SessionPlan | null;
  /** Tools whose results come later, each with its task. */
  pending: { taskId: string; call: ToolCall }[];
  /** Null while the chat goes on. */
  ended: SessionEndReason | null;
  optedOut: boolean;
  /** A human operator was asked to take over, and the chat waits for them. */
  wantsHuman: boolean;
  usage: TokenUsage;
  error: { code: string; message: string } | null;
  /** State of the stages, for the turns that follow; null without stages. */
  stageState: StageState | null;
  /** Number of replies that a repeated turn must not make again: words and tools of stages. */
  settled: number;
}

/**
 * Takes the agent's turn in a chat with the same engine as in a call, over a line of text. `history` holds all that was
 * written before, in the order of the conversation; no state is kept between turns. When the model fails, the turn is
 * its apology and ends ERROR_MODEL. Throws only when `signal` aborts.
 */
export async function takeChatTurn(
  plan: SessionPlan,
  history: ChatEntry[],
  ports: ChatPorts,
  signal: AbortSignal,
): Promise<ChatTurn> {
  const startedMs = ports.now().getTime();
  const line = createTextLine(() => ports.now().getTime() - startedMs);
  const sessionPorts = { ...ports, line, answeredBy: "HUMAN" as const, onTurn: () => undefined };
  const transcribed = new TranscribedLine(sessionPorts, signal, true);
  const session = createSessionState(plan, sessionPorts, transcribed, signal, ports.modelStallMs ?? MODEL_STALL_MS);
  const lookUps = await lookUpFirst(
    session,
    history.some(({ role, turn }) => role === "ASSISTANT" && turn > 0),
  );
  const texts = renderTexts(plan, ports.now(), session.variables);
  const reported = readHistory(history);
  placeTexts(session, texts);
  transcribed.messages.push(...reported.messages);
  lookUps.record();
  session.notedError ??= texts.error;
  Object.assign(session.optOut, { ...reported.optOut, judged: transcribed.messages.length - reported.unjudged });
  session.toolCalls += countToolCalls(plan, history);
  session.agentTurns = new Set(history.filter((entry) => entry.role === "ASSISTANT").map((entry) => entry.turn)).size;
  let ended: SessionEndReason | null;
  try {
    const heeded = await heedOptOut(session);
    ended = heeded === "ASKED" ? null : (heeded ?? (await takeAgentTurn(session)));
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const code = thrown instanceof ModelError ? thrown.code : "INTERNAL";
    session.notedError = { code, message: toError(thrown).message.slice(0, 500) };
    ended = "ERROR_MODEL";
  } finally {
    transcribed.close();
  }
  const wantsHuman = session.wantsHuman || askedForHuman(history);
  if (wantsHuman && ended !== "ERROR_MODEL" && !session.optedOut) await sayHandoff(session);
  return {
    replies: transcribed.turns.map(({ role, content, toolCallId, citations, disclosure }) => ({
      role,
      content,
      toolCallId,
      ...(citations ? { citations } : {}),
      ...(disclosure ? { disclosure } : {}),
    })),
    variables: addedTo(plan.variables, session.variables),
    openedFlow: session.plan === plan ? null : session.plan,
    pending: [...session.pending].flatMap(({ taskId, call }) => (taskId === null ? [] : [{ taskId, call }])),
    ended: session.optedOut ? "CUSTOMER_OPTED_OUT" : wantsHuman && ended === "AGENT_ENDED_CALL" ? null : ended,
    wantsHuman,
    optedOut: session.optedOut,
    usage: session.usage,
    error: session.notedError,
    stageState: session.stages?.state ?? null,
    settled: session.stages?.settled ?? 0,
  };
}

async function sayHandoff(session: SessionState): Promise<void> {
  const text = handoffText(session);
  if (text !== "") await session.transcribed.say(text);
}

/** Renders the flow's first message; empty when the model opens. */
export function renderOpening(plan: SessionPlan, now: Date): { text: string; error: ChatTurn["error"] } {
  const { firstMessage, error } = renderTexts(plan, now);
  return { text: firstMessage, error };
}

/**
 * Fills the plan's outputs from a finished chat, as after a call. `saidAt` is the time of its last message, by which the
 * model reads words such as "tomorrow": a chat may end a day later. Never throws.
 */
export function extractChat(
  plan: SessionPlan,
  history: ChatEntry[],
  ports: ChatPorts,
  { endReason, saidAt }: { endReason: string | null; saidAt: Date },
  signal: AbortSignal,
): Promise<Extraction> {
  const messages = [renderTexts(plan, saidAt).system, ...readHistory(history).messages];
  const nobodyWrote = !messages.some((message) => message.role === "USER");
  return extractOutputs({
    model: ports.model,
    messages,
    maxHistoryTokens: plan.limits?.maxHistoryTokens,
    outputs: nobodyWrote ? [] : selectOutputs(plan, plan.variables, endReason),
    language: plan.flow.language,
    validate: ports.validate,
    now: () => ports.now(),
    zone: zoneOf(plan),
    timeoutMs: 3 * (ports.modelStallMs ?? MODEL_STALL_MS),
    signal,
    ...(plan.stageState ? { recorded: plan.stageState.fields } : {}),
  });
}

/** Returns the variables that were added or changed since the plan was made. */
function addedTo(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

/** Creates a line on which every text counts as heard in full. */
function createTextLine(elapsedMs: () => number): Line {
  return {
    async say(text) {
      const at = elapsedMs();
      return { heard: text, startMs: at, endMs: at, interrupted: false, hungUp: false };
    },
    listen: async () => ({ kind: "SILENCE", endMs: elapsedMs() }),
    sendDigits: async () => undefined,
    hangUp: async () => undefined,
    elapsedMs,
  };
}
