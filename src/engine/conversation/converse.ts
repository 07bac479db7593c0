import {
  addUsage,
  type JsonSchema,
  type ModelMessage,
  type OutputDefinition,
  type ToolCall,
} from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { type AgentTurn, ModelError, takeTurn } from "./agent-turn.ts";
import { handoffText } from "./handoff.ts";
import { keepWithin } from "./history.ts";
import { LiveOutputs } from "./live-outputs.ts";
import { isLasting, type ModelTry, planTries } from "./model-tries.ts";
import { dropNote, goOnOpening, isOpeningAwaited, noteOpening, sayOpening } from "./opening.ts";
import { heedLastWords, heedOptOut } from "./opt-out-guard.ts";
import type { SessionEndReason } from "./plan.ts";
import { findReachedLimit, isHeld, type SessionState } from "./session-state.ts";
import { endModelStep } from "./session-trace.ts";
import { fillSilence } from "./silence-filler.ts";
import { Speech } from "./speech.ts";
import { stageModel, stageRequest, withStagePrompt } from "./stage-turn.ts";
import { hasMove, noteHeard, noteModelTurn, walkStages } from "./stage-walk.ts";
import {
  finishToolCalls,
  recordLateAnswers,
  sayDelayed,
  type StartedToolCall,
  startToolCall,
  untilDelayedMs,
} from "./tool-calls.ts";
import { LineFaultError } from "./transcribed-line.ts";

/** Rounds of tool calls in one turn, after which a model that still does not wait for the person is in a loop. */
const MAX_TOOL_ROUNDS = 8;
/** The same in a session whose stages may change within one turn. */
const MAX_STAGE_ROUNDS = 40;
/** Times in a row that a person is asked to repeat speech that was not understood. */
const MAX_REPEATS = 2;

/** Times that a turn that broke off is continued. */
const MAX_BREAKS = 2;
/** Several minutes of speech. The limit for text is more than fits into any message. */
const MAX_SPOKEN_CHARACTERS = 4_000;
const MAX_WRITTEN_CHARACTERS = 16_000;
const CARRY_ON: ModelMessage = {
  role: "USER",
  content:
    "(You were cut off here. The person has heard what you said so far: go on from there, and do not repeat it.)",
};

const LOOP = "The model called tools without end.";
const NOT_UNDERSTOOD = { code: "NOT_UNDERSTOOD", message: "Somebody spoke, and none of it was recognised." };

/**
 * Alternates turns of the person and the agent until something ends the conversation. The first message opens, or the
 * model when there is none. Throws what the model throws.
 */
export async function converse(session: SessionState, firstMessage: string): Promise<SessionEndReason> {
  // An opening line often asks the first question already.
  session.transcribed.expect(expectAny(session.plan.outputs));
  let end = await begin(session, firstMessage);
  const live = new LiveOutputs(session);
  while (end === null) {
    end = await hearPerson(session);
    live.note();
    const heeded = end === null ? await heedOptOut(session) : null;
    if (heeded === "ASKED") continue;
    end ??= heeded;
    // A supervisor's words take the place of the agent's answer.
    if (end === null && session.ports.notes?.hasWords) continue;
    if (end === null && !isHeld(session)) end = await answerPerson(session);
  }
  return end === "CUSTOMER_HUNG_UP" ? heedLastWords(session, end) : end;
}

/** Opens the conversation. When the person's first words may be an opt-out, the opening waits for their answer. */
async function begin(session: SessionState, firstMessage: string): Promise<SessionEndReason | null> {
  const heeded = await heedOptOut(session);
  if (heeded !== null && heeded !== "ASKED") return heeded;
  if (firstMessage === "") return heeded === null ? takeAgentTurn(session) : null;
  if (heeded === null) return sayOpening(session, firstMessage);
  session.opening = { whole: firstMessage, from: 0, tries: 0 };
  return null;
}

/** Answers the person, then says the rest of the opening that they talked over. */
async function answerPerson(session: SessionState): Promise<SessionEndReason | null> {
  if (session.opening === null) return takeAgentTurn(session);
  if (isOpeningAwaited(session)) return goOnOpening(session);
  noteOpening(session);
  const end = await takeAgentTurn(session);
  dropNote(session);
  const wasCut = session.transcribed.turns.findLast(({ role }) => role === "ASSISTANT")?.interrupted === true;
  return end ?? (wasCut ? null : goOnOpening(session));
}

async function sayLine(session: SessionState, text: string): Promise<SessionEndReason | null> {
  const spoken = await session.transcribed.say(text);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : null;
}

/** Says a closing line of the engine and returns `reason`, even when the line is not heard. */
async function sayAndEnd(session: SessionState, text: string, reason: SessionEndReason): Promise<SessionEndReason> {
  const { hungUp } = await session.transcribed.say(text);
  return hungUp ? heedLastWords(session, reason) : reason;
}

/**
 * Waits for speech of the person, or for the result of a tool that runs in the background. Returns null when there is
 * one, otherwise the reason why the session ends.
 */
async function hearPerson(session: SessionState): Promise<SessionEndReason | null> {
  for (let silences = 0, unheard = 0; ;) {
    const typed = await sayForSupervisor(session);
    if (typed === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (typed === "SAID") silences = 0;
    const leftMs = session.maxMs - session.transcribed.elapsedMs();
    if (leftMs <= 0) return sayAndEnd(session, session.phrases.timeUp, "LIMIT_DURATION");
    const waitsForTool = session.pending.size > 0;
    const wasHeld = isHeld(session);
    const heard = await listen(session, Math.min(session.silenceMs, leftMs));
    if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
    if (session.transcribed.elapsedMs() >= session.maxMs)
      return sayAndEnd(session, session.phrases.timeUp, "LIMIT_DURATION");
    if (heard.kind !== "SILENCE") session.waitsForTool = false;
    const late = await recordLateAnswers(session);
    if (late.end) return late.end;
    if (heard.kind === "SILENCE" && session.ports.notes?.hasWords) continue;
    if (isHeld(session)) {
      if (heard.kind !== "SILENCE") return null;
      silences = 0;
      continue;
    }
    // The supervisor handed the person back, who waits for the agent.
    if (wasHeld && heard.kind === "SILENCE") return null;
    if (heard.kind === "SPEECH" && heard.text === "") {
      if (++unheard > MAX_REPEATS) throw new LineFaultError(NOT_UNDERSTOOD);
      const end = await sayLine(session, session.phrases.sayAgain);
      if (end) return end;
      continue;
    }
    if (heard.kind !== "SILENCE" || late.followUp) return null;
    if (waitsForTool) {
      await sayDelayed(session);
      continue;
    }
    if (++silences > 1) return "LIMIT_SILENCE";
    const end = await sayLine(session, session.phrases.stillThere);
    if (end) return end;
  }
}

/** Says the words that supervisors typed. Returns null when there are none. */
async function sayForSupervisor(session: SessionState): Promise<"SAID" | "HUNG_UP" | null> {
  const words = session.ports.notes?.takeWords() ?? [];
  for (const text of words) if ((await session.transcribed.sayForSupervisor(text)).hungUp) return "HUNG_UP";
  return words.length > 0 ? "SAID" : null;
}

/**
 * Listens. While a supervisor speaks in the agent's place, it listens only until the person is handed back; while a tool
 * runs, only until the tool is done or its delay message is due.
 */
function listen(session: SessionState, timeoutMs: number): ReturnType<SessionState["transcribed"]["listen"]> {
  const { notes } = session.ports;
  if (notes?.isHeld) {
    return session.transcribed.listen(timeoutMs, { wake: AbortSignal.any([notes.released, notes.wake]) });
  }
  if (session.pending.size === 0) {
    return session.transcribed.listen(timeoutMs, session.ports.isPaced ? { wake: notes?.wake } : {});
  }
  if (session.wake.signal.aborted) session.wake = new AbortController();
  for (const pending of session.pending) if (pending.result !== undefined) session.wake.abort();
  const wake = notes ? AbortSignal.any([session.wake.signal, notes.wake]) : session.wake.signal;
  const options = { wake, isOurTurn: session.waitsForTool };
  return session.transcribed.listen(Math.min(timeoutMs, untilDelayedMs(session)), options);
}

/**
 * Takes the agent's turn: the model's words are said and its tools run. Returns null when the agent waits for the
 * person, otherwise the reason why the call ends.
 */
export async function takeAgentTurn(session: SessionState): Promise<SessionEndReason | null> {
  const limit = findReachedLimit(session);
  if (limit) return sayAndEnd(session, session.phrases.timeUp, limit);
  session.agentTurns++;
  session.citations = [];
  let hasSpoken = false;
  let breaks = 0;
  noteHeard(session);
  const maxRounds = session.stages ? MAX_STAGE_ROUNDS : MAX_TOOL_ROUNDS;
  for (let round = 0, until = maxRounds; round < until; round++) {
    if (round === maxRounds - 1 && leavesLoop(session)) until += maxRounds;
    session.transcribed.noteWhispers();
    const walk = await walkStages(session);
    hasSpoken ||= session.stages?.hasSpoken === true;
    if (walk.end || walk.waits) return walk.end;
    const started = new Map<string, StartedToolCall>();
    // After words beside its tool calls, a model may have nothing to add to their results.
    const turn = await askModel(session, { hasSpoken, breaks, started });
    hasSpoken ||= turn.text !== "";
    if (turn.cut && !turn.cut.hungUp && mayResume(session, turn)) return null;
    // Runs even after a hang-up, so that an opt-out is still written to the do-not-call list.
    const toolsSince = performance.now();
    const { end, followUp } = await finishToolCalls(session, turn.toolCalls, started, hasSpoken);
    session.transcribed.noteTools(performance.now() - toolsSince);
    if (turn.text !== "") session.isCallBackUntold = false;
    noteModelTurn(session, turn.text);
    if (turn.cut?.hungUp) return "CUSTOMER_HUNG_UP";
    if (end) {
      if (end === "AGENT_ENDED_CALL") await announceCallBack(session);
      return end;
    }
    // A slow tool goes on in the background, and the person waits for it.
    session.waitsForTool = !followUp && [...session.pending].some(({ taskId }) => taskId === null);
    if (turn.brokeOff && !turn.cut) breaks++;
    else if (!followUp && (turn.cut || !hasMove(session)))
      return (await announceCallBack(session)) ? "CUSTOMER_HUNG_UP" : null;
    if (session.toolCalls > session.limits.maxToolCalls) {
      await announceCallBack(session);
      return sayAndEnd(session, session.phrases.timeUp, "LIMIT_TOOL_CALLS");
    }
  }
  throw await apologise(session, new ModelError("MODEL_LOOP", LOOP));
}

/** Has the next model of a chain asked first, after one that called tools without end. False: there is no other. */
function leavesLoop(session: SessionState): boolean {
  const { chain } = stageModel(session);
  const [looping, next] = chain?.inOrder() ?? [];
  if (!chain || !looping || !next) return false;
  chain.noteFailure(looping, next, new ModelError("MODEL_LOOP", LOOP));
  return true;
}

/**
 * Promises a call back to a person who asked for a human, when the model has not done so. Returns true when they hang
 * up.
 */
async function announceCallBack(session: SessionState): Promise<boolean> {
  if (!session.isCallBackUntold) return false;
  session.isCallBackUntold = false;
  return (await session.transcribed.say(session.phrases.callBack)).hungUp;
}

/** True once per session, for a goodbye that the person talked over: the call goes on to hear what they say. */
function mayResume(session: SessionState, turn: AgentTurn): boolean {
  if (session.resumedAfterGoodbye || turn.toolCalls.length !== 1 || turn.toolCalls[0]?.name !== "end_call")
    return false;
  session.resumedAfterGoodbye = true;
  return true;
}

/** State of a turn before the model is asked. */
interface TurnSoFar {
  hasSpoken: boolean;
  /** Times that a model broke off during the turn. */
  breaks: number;
  /** Calls that the model starts during this request. */
  started: Map<string, StartedToolCall>;
}

/**
 * Asks the model, or its fallbacks, until one completes the turn. When one breaks off after words were said or calls
 * started, that part is returned and the next round continues it.
 */
async function askModel(session: SessionState, { hasSpoken, breaks, started }: TurnSoFar): Promise<AgentTurn> {
  const { plan, ports, transcribed, limits, isText } = session;
  // Text has no duration, so the limit on the length of a call does not cut it.
  const untilMs = session.isText ? Infinity : session.maxMs;
  const kept = stageModel(session).readsAll
    ? transcribed.messages
    : keepWithin(transcribed.messages, limits.maxHistoryTokens);
  const request = {
    messages: withNote(withStagePrompt(session, kept), breaks > 0),
    tools: session.offers,
    outputs: plan.outputs,
    language: plan.flow.language,
    ...stageRequest(session),
  };
  const parts = {
    now: () => ports.now(),
    mayBeEmpty: hasSpoken || session.isCallBackUntold || session.stages !== null || isToldOfHuman(session),
    maxCharacters: isText ? MAX_WRITTEN_CHARACTERS : MAX_SPOKEN_CHARACTERS,
    openSpeech: (stop: () => void) => new Speech(transcribed, { citations: session.citations, untilMs, isText }, stop),
    onCall(call: ToolCall) {
      const begun = startToolCall(session, call);
      if (begun) started.set(call.id, begun);
    },
    onExpects: (schema: JsonSchema | null) => transcribed.expect(schema),
    onFields: (fields: Record<string, unknown>) => ports.watch?.noteFields(fields),
  };
  const startedMs = ports.now().getTime();
  const silence = fillSilence(session);
  const asked = { ...parts, openSpeech: (stop: () => void) => silence.watch(parts.openSpeech(stop)) };
  const turn = await tryModels(
    session,
    (one) => takeTurn(request, { ...asked, ...one }, session.signal),
    breaks < MAX_BREAKS,
  );
  await silence.end();
  // The scripted model takes no time, which would pass for the latency of a model.
  if (!stageModel(session).readsAll)
    session.modelMs.push(turn instanceof Error ? ports.now().getTime() - startedMs : turn.modelMs);
  if (turn instanceof ModelError)
    throw await apologise(session, turn, breaks > 0 || turn.done?.text ? "unfinished" : "apology");
  if (turn instanceof Error) throw turn;
  if (!turn.hasExpectation && turn.text !== "") transcribed.expect(expectAny(plan.outputs));
  addUsage(session.usage, turn);
  return turn;
}

/** True when the flow's own text tells the person of a chat that a human was asked for. */
function isToldOfHuman(session: SessionState): boolean {
  return session.isText && session.wantsHuman && handoffText(session) !== "";
}

/** Returns the turn of the first model that completes one, or the last failure. */
async function tryModels(
  session: SessionState,
  take: (one: ModelTry) => Promise<AgentTurn>,
  mayCarryOn: boolean,
): Promise<AgentTurn | Error> {
  const { modelLimits, isText, usage, transcribed } = session;
  const asked = stageModel(session);
  let tries = planTries(asked, modelLimits, isText);
  let failure: ModelError | undefined;
  for (let one = tries.shift(); one; one = tries.shift()) {
    const { model } = one;
    const step = transcribed.trace?.begin();
    const turn = await take(one).catch(toError);
    if (step) endModelStep(step, model.name, outcomeOf(turn));
    if (!(turn instanceof ModelError)) return turn;
    failure = turn;
    addUsage(usage, turn.usage);
    if (isLasting(turn)) tries = tries.filter((other) => other.model !== model);
    asked.chain?.noteFailure(model, tries[0]?.model ?? null, turn);
    if (!turn.done) continue;
    // These tokens are counted above already.
    const done = { ...turn.done, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    if (mayCarryOn) return done;
    // The words of a talkative model stand: all of them were whole sentences.
    return turn.code === "MODEL_TRUNCATED" ? { ...done, brokeOff: false } : turn;
  }
  return failure ?? new ModelError("MODEL_FAILED", "There is no model.");
}

/** Returns what the trace shows of a try. */
function outcomeOf(turn: AgentTurn | Error): Parameters<typeof endModelStep>[2] {
  if (!(turn instanceof Error)) return turn;
  return turn instanceof ModelError ? { ...turn.usage, fault: turn.code } : { fault: "STOPPED" };
}

/** Adds the note that tells a model to continue from where it was cut off. */
function withNote(messages: ModelMessage[], wasCut: boolean): ModelMessage[] {
  return wasCut && messages.at(-1)?.role === "ASSISTANT" ? [...messages, CARRY_ON] : messages;
}

/**
 * Returns the schemas of all outputs as alternatives, for a turn that does not name what it asks for; null when there
 * are none.
 */
function expectAny(outputs: OutputDefinition[]): JsonSchema | null {
  const [first, ...others] = outputs.map(({ schema }) => schema);
  // A single schema is not wrapped, so that its references still resolve.
  return first === undefined || others.length === 0 ? (first ?? null) : { anyOf: [first, ...others] };
}

/** Says the apology, or that the turn stays unfinished, and returns the error for the caller to throw. */
async function apologise(
  session: SessionState,
  error: ModelError,
  phrase: "apology" | "unfinished" = "apology",
): Promise<ModelError> {
  await announceCallBack(session);
  await session.transcribed.say(session.phrases[phrase]);
  return error;
}
