import type { JsonSchema, ModelMessage, OutputDefinition, ToolCall } from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { type AgentTurn, ModelError, takeTurn } from "./agent-turn.ts";
import { LineFaultError } from "./floor.ts";
import { keepWithin } from "./history.ts";
import { LiveOutputs } from "./live-outputs.ts";
import { isLasting, type ModelTry, planTries } from "./model-tries.ts";
import { goOnOpening, isOpeningAwaited, noteOpening, sayOpening } from "./opening.ts";
import { heedOptOut } from "./opt-out-guard.ts";
import type { SessionEndReason } from "./plan.ts";
import { fillSilence } from "./silence-filler.ts";
import { Speech } from "./speech.ts";
import { findReachedLimit, isHeld, type Talk } from "./talk.ts";
import {
  finishCalls,
  recordLateAnswers,
  sayDelayed,
  type StartedCall,
  startCall,
  untilDelayedMs,
} from "./tool-calls.ts";

/** A model that calls tools this often without listening is in a loop. */
const MAX_TOOL_ROUNDS = 8;
/** How often in a row somebody is asked to say again what was not understood. */
const MAX_REPEATS = 2;

/** How often a turn that broke off is carried on. */
const MAX_BREAKS = 2;
/** Several minutes of speech; and more than fits into any message. */
const MAX_SPOKEN_CHARACTERS = 4_000;
const MAX_WRITTEN_CHARACTERS = 16_000;
const CARRY_ON: ModelMessage = {
  role: "USER",
  content:
    "(You were cut off here. The person has heard what you said so far: go on from there, and do not repeat it.)",
};

const NOT_UNDERSTOOD = { code: "NOT_UNDERSTOOD", message: "Somebody spoke, and none of it was recognised." };

/** Talks by turns until something ends it: the first message, or the model, opens. Throws what the model throws. */
export async function converse(talk: Talk, firstMessage: string): Promise<SessionEndReason> {
  // An opening line often asks the first question already.
  talk.floor.expect(expectAny(talk.plan.outputs));
  let end = await begin(talk, firstMessage);
  const live = new LiveOutputs(talk);
  while (end === null) {
    end = await hearPerson(talk);
    live.note();
    const heeded = end === null ? await heedOptOut(talk) : null;
    if (heeded === "ASKED") continue;
    end ??= heeded;
    if (end === null && !isHeld(talk)) end = await answerPerson(talk);
  }
  return end;
}

/** Opens the talk. Somebody may have opted out with their first words already: then the opening waits for their answer. */
async function begin(talk: Talk, firstMessage: string): Promise<SessionEndReason | null> {
  const heeded = await heedOptOut(talk);
  if (heeded !== null && heeded !== "ASKED") return heeded;
  if (firstMessage === "") return heeded === null ? takeAgentTurn(talk) : null;
  if (heeded === null) return sayOpening(talk, firstMessage);
  talk.opening = { whole: firstMessage, from: 0, tries: 0 };
  return null;
}

/** Answers what the person said, and then says what of the opening they talked over. */
async function answerPerson(talk: Talk): Promise<SessionEndReason | null> {
  if (talk.opening === null) return takeAgentTurn(talk);
  if (isOpeningAwaited(talk)) return goOnOpening(talk);
  noteOpening(talk);
  const end = await takeAgentTurn(talk);
  const wasCut = talk.floor.turns.findLast(({ role }) => role === "ASSISTANT")?.interrupted === true;
  return end ?? (wasCut ? null : goOnOpening(talk));
}

async function sayLine(talk: Talk, text: string): Promise<SessionEndReason | null> {
  const spoken = await talk.floor.say(text);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : null;
}

/** Says a parting line of the engine's; the reason stands whatever becomes of the line. */
async function part(talk: Talk, text: string, reason: SessionEndReason): Promise<SessionEndReason> {
  await talk.floor.say(text);
  return reason;
}

/** Waits for the person to say something, or for a tool that works beside the talk; null when there is something. */
async function hearPerson(talk: Talk): Promise<SessionEndReason | null> {
  for (let silences = 0, unheard = 0; ;) {
    const leftMs = talk.maxMs - talk.floor.elapsedMs();
    if (leftMs <= 0) return part(talk, talk.phrases.timeUp, "LIMIT_DURATION");
    const waitsForTool = talk.pending.size > 0;
    const heard = await listen(talk, Math.min(talk.silenceMs, leftMs));
    if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
    if (talk.floor.elapsedMs() >= talk.maxMs) return part(talk, talk.phrases.timeUp, "LIMIT_DURATION");
    if (heard.kind !== "SILENCE") talk.waitsForTool = false;
    const late = await recordLateAnswers(talk);
    if (late.end) return late.end;
    if (isHeld(talk)) {
      if (heard.kind !== "SILENCE") return null;
      silences = 0;
      continue;
    }
    if (heard.kind === "SPEECH" && heard.text === "") {
      if (++unheard > MAX_REPEATS) throw new LineFaultError(NOT_UNDERSTOOD);
      const end = await sayLine(talk, talk.phrases.sayAgain);
      if (end) return end;
      continue;
    }
    if (heard.kind !== "SILENCE" || late.followUp) return null;
    if (waitsForTool) {
      await sayDelayed(talk);
      continue;
    }
    if (++silences > 1) return "LIMIT_SILENCE";
    const end = await sayLine(talk, talk.phrases.stillThere);
    if (end) return end;
  }
}

/** Listens; while a tool works, only until it is done or somebody should be told that it takes longer. */
function listen(talk: Talk, timeoutMs: number): ReturnType<Talk["floor"]["listen"]> {
  if (talk.pending.size === 0) return talk.floor.listen(timeoutMs);
  if (talk.wake.signal.aborted) talk.wake = new AbortController();
  for (const pending of talk.pending) if (pending.result !== undefined) talk.wake.abort();
  const options = { wake: talk.wake.signal, isOurTurn: talk.waitsForTool };
  return talk.floor.listen(Math.min(timeoutMs, untilDelayedMs(talk)), options);
}

/** The model's turn: spoken, its tools run, until it waits for the person (null) or the call ends. */
export async function takeAgentTurn(talk: Talk): Promise<SessionEndReason | null> {
  const limit = findReachedLimit(talk);
  if (limit) return part(talk, talk.phrases.timeUp, limit);
  talk.agentTurns++;
  talk.citations = [];
  let hasSpoken = false;
  let breaks = 0;
  for (let round = 0; round < MAX_TOOL_ROUNDS; round++) {
    talk.floor.noteWhispers();
    const started = new Map<string, StartedCall>();
    // A model that spoke beside its tools may have nothing to add to their results.
    const turn = await askModel(talk, { hasSpoken, breaks, started });
    hasSpoken ||= turn.text !== "";
    if (turn.cut && !turn.cut.hungUp && mayResume(talk, turn)) return null;
    // Also when the person has hung up: a refusal of further calls is written all the same.
    const toolsSince = performance.now();
    const { end, followUp } = await finishCalls(talk, turn.toolCalls, started, hasSpoken);
    talk.floor.noteTools(performance.now() - toolsSince);
    if (turn.text !== "") talk.isCallBackUntold = false;
    if (turn.cut?.hungUp) return "CUSTOMER_HUNG_UP";
    if (end) {
      if (end === "AGENT_ENDED_CALL") await tellCallBack(talk);
      return end;
    }
    // A slow tool goes on beside the talk, and the person waits for it.
    talk.waitsForTool = !followUp && [...talk.pending].some(({ taskId }) => taskId === null);
    if (turn.brokeOff && !turn.cut) breaks++;
    else if (!followUp) return (await tellCallBack(talk)) ? "CUSTOMER_HUNG_UP" : null;
    if (talk.toolCalls > talk.limits.maxToolCalls) {
      await tellCallBack(talk);
      return part(talk, talk.phrases.timeUp, "LIMIT_TOOL_CALLS");
    }
  }
  throw await apologise(talk, new ModelError("MODEL_LOOP", "The model called tools without end."));
}

/** Tells whoever asked for a human that somebody will call, where the model has said nothing; true when they hang up. */
async function tellCallBack(talk: Talk): Promise<boolean> {
  if (!talk.isCallBackUntold) return false;
  talk.isCallBackUntold = false;
  return (await talk.floor.say(talk.phrases.callBack)).hungUp;
}

/** A goodbye that the person talks over is taken back once, to hear what they have to say. */
function mayResume(talk: Talk, turn: AgentTurn): boolean {
  if (talk.resumedAfterGoodbye || turn.toolCalls.length !== 1 || turn.toolCalls[0]?.name !== "end_call") return false;
  talk.resumedAfterGoodbye = true;
  return true;
}

/** What has become of the turn before the model is asked. */
interface TurnSoFar {
  hasSpoken: boolean;
  /** How often a model broke off in it. */
  breaks: number;
  /** Calls that the model makes now. */
  started: Map<string, StartedCall>;
}

/**
 * Asks the model, or those that stand in for it, until one has taken the turn. Where one breaks off after something was
 * said or begun, that is the turn so far, and the next one carries it on.
 */
async function askModel(talk: Talk, { hasSpoken, breaks, started }: TurnSoFar): Promise<AgentTurn> {
  const { plan, ports, floor, limits, isText } = talk;
  // What is written has no length in time.
  const untilMs = talk.isText ? Infinity : talk.maxMs;
  const request = {
    messages: withNote(
      ports.model.readsAll ? floor.messages : keepWithin(floor.messages, limits.maxHistoryTokens),
      breaks > 0,
    ),
    tools: talk.offers,
    outputs: plan.outputs,
    language: plan.flow.language,
  };
  const parts = {
    now: () => ports.now(),
    mayBeEmpty: hasSpoken || talk.isCallBackUntold,
    maxCharacters: isText ? MAX_WRITTEN_CHARACTERS : MAX_SPOKEN_CHARACTERS,
    openSpeech: (stop: () => void) => new Speech(floor, { citations: talk.citations, untilMs, isText }, stop),
    onCall(call: ToolCall) {
      const begun = startCall(talk, call);
      if (begun) started.set(call.id, begun);
    },
    onExpects: (schema: JsonSchema | null) => floor.expect(schema),
  };
  const startedMs = ports.now().getTime();
  const silence = fillSilence(talk);
  const asked = { ...parts, openSpeech: (stop: () => void) => silence.watch(parts.openSpeech(stop)) };
  const turn = await tryModels(
    talk,
    (one) => takeTurn(request, { ...asked, ...one }, talk.signal),
    breaks < MAX_BREAKS,
  );
  await silence.end();
  talk.modelMs.push(turn instanceof Error ? ports.now().getTime() - startedMs : turn.modelMs);
  if (turn instanceof ModelError)
    throw await apologise(talk, turn, breaks > 0 || turn.done?.text ? "unfinished" : "apology");
  if (turn instanceof Error) throw turn;
  if (!turn.hasExpectation && turn.text !== "") floor.expect(expectAny(plan.outputs));
  talk.usage.inputTokens += turn.inputTokens;
  talk.usage.outputTokens += turn.outputTokens;
  return turn;
}

/** The turn of the first model that takes it, or the last failure. */
async function tryModels(
  { ports, modelLimits, isText, usage }: Talk,
  take: (one: ModelTry) => Promise<AgentTurn>,
  mayCarryOn: boolean,
): Promise<AgentTurn | Error> {
  let tries = planTries(ports.model, modelLimits, isText);
  let failure: Error = new ModelError("MODEL_FAILED", "There is no model.");
  for (let one = tries.shift(); one; one = tries.shift()) {
    const turn = await take(one).catch(toError);
    if (!(turn instanceof ModelError)) return turn;
    const { model } = one;
    failure = turn;
    usage.inputTokens += turn.usage.inputTokens;
    usage.outputTokens += turn.usage.outputTokens;
    if (isLasting(turn)) tries = tries.filter((other) => other.model !== model);
    ports.model.chain?.noteFailure(model, tries[0]?.model ?? null, turn);
    // What was counted is not counted again with the turn.
    if (turn.done) return mayCarryOn ? { ...turn.done, inputTokens: 0, outputTokens: 0 } : turn;
  }
  return failure;
}

/** Somebody who broke off goes on where they were cut off. */
function withNote(messages: ModelMessage[], wasCut: boolean): ModelMessage[] {
  return wasCut && messages.at(-1)?.role === "ASSISTANT" ? [...messages, CARRY_ON] : messages;
}

/** Where nobody tells what is asked for, it may be anything that is to be found out. */
function expectAny(outputs: OutputDefinition[]): JsonSchema | null {
  const [first, ...others] = outputs.map(({ schema }) => schema);
  // Alone it stays as it is, so that its references lead somewhere.
  return first === undefined || others.length === 0 ? (first ?? null) : { anyOf: [first, ...others] };
}

/** Speaks the apology, which tells of a turn that is left unfinished, and gives the error back to be thrown. */
async function apologise(
  talk: Talk,
  error: ModelError,
  phrase: "apology" | "unfinished" = "apology",
): Promise<ModelError> {
  await tellCallBack(talk);
  await talk.floor.say(talk.phrases[phrase]);
  return error;
}
