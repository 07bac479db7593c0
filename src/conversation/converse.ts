import { toError } from "#src/kernel/errors.ts";
import type { JsonSchema, OutputDefinition, ToolCall } from "#src/models/models.ts";
import { type AgentTurn, ModelError, takeTurn } from "./agent-turn.ts";
import { LineFaultError } from "./floor.ts";
import { keepWithin } from "./history.ts";
import { LiveOutputs } from "./live-outputs.ts";
import type { SessionEndReason } from "./plan.ts";
import { fillSilence } from "./silence-filler.ts";
import { Speech } from "./speech.ts";
import { findReachedLimit, type Talk } from "./talk.ts";
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

const NOT_UNDERSTOOD = { code: "NOT_UNDERSTOOD", message: "Somebody spoke, and none of it was recognised." };

/** Talks by turns until something ends it: the first message, or the model, opens. Throws what the model throws. */
export async function converse(talk: Talk, firstMessage: string): Promise<SessionEndReason> {
  // An opening line often asks the first question already.
  talk.floor.expect(expectAny(talk.plan.outputs));
  let end = firstMessage === "" ? await takeAgentTurn(talk) : await sayLine(talk, firstMessage);
  const live = new LiveOutputs(talk);
  while (end === null) {
    end = await hearPerson(talk);
    live.note();
    if (end === null && !isHeld(talk)) end = await takeAgentTurn(talk);
  }
  return end;
}

/** Somebody who supervises the talk speaks in the agent's place. */
function isHeld({ ports }: Talk): boolean {
  return ports.notes?.isHeld === true;
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
  for (let round = 0; round < MAX_TOOL_ROUNDS; round++) {
    talk.floor.noteWhispers();
    const started = new Map<string, StartedCall>();
    // A model that spoke beside its tools may have nothing to add to their results.
    const turn = await askModel(talk, hasSpoken, started);
    hasSpoken ||= turn.text !== "";
    if (turn.cut && !turn.cut.hungUp && mayResume(talk, turn)) return null;
    // Also when the person has hung up: a refusal of further calls is written all the same.
    const toolsSince = performance.now();
    const { end, followUp } = await finishCalls(talk, turn.toolCalls, started, hasSpoken);
    talk.floor.noteTools(performance.now() - toolsSince);
    if (turn.cut?.hungUp) return "CUSTOMER_HUNG_UP";
    if (end) return end;
    // A slow tool goes on beside the talk, and the person waits for it.
    talk.waitsForTool = !followUp && [...talk.pending].some(({ taskId }) => taskId === null);
    if (!followUp) return null;
    if (talk.toolCalls > talk.limits.maxToolCalls) return part(talk, talk.phrases.timeUp, "LIMIT_TOOL_CALLS");
  }
  throw await apologise(talk, new ModelError("MODEL_LOOP", "The model called tools without end."));
}

/** A goodbye that the person talks over is taken back once, to hear what they have to say. */
function mayResume(talk: Talk, turn: AgentTurn): boolean {
  if (talk.resumedAfterGoodbye || turn.toolCalls.length !== 1 || turn.toolCalls[0]?.name !== "end_call") return false;
  talk.resumedAfterGoodbye = true;
  return true;
}

/** Asks the model, twice if need be: most failures of a model server are gone a moment later. */
async function askModel(talk: Talk, mayBeEmpty: boolean, started: Map<string, StartedCall>): Promise<AgentTurn> {
  const { plan, ports, floor, limits } = talk;
  // What is written has no length in time.
  const untilMs = talk.isText ? Infinity : talk.maxMs;
  const request = {
    messages: ports.model.readsAll ? floor.messages : keepWithin(floor.messages, limits.maxHistoryTokens),
    tools: talk.offers,
    outputs: plan.outputs,
    language: plan.flow.language,
  };
  const parts = {
    model: ports.model,
    now: () => ports.now(),
    limits: talk.modelLimits,
    mayBeEmpty,
    openSpeech: (stop: () => void) => new Speech(floor, { citations: talk.citations, untilMs }, stop),
    onCall(call: ToolCall) {
      const begun = startCall(talk, call);
      if (begun) started.set(call.id, begun);
    },
    onExpects: (schema: JsonSchema | null) => floor.expect(schema),
  };
  const startedMs = ports.now().getTime();
  const silence = fillSilence(talk);
  const asked = { ...parts, openSpeech: (stop: () => void) => silence.watch(parts.openSpeech(stop)) };
  const ask = (): Promise<AgentTurn | Error> => takeTurn(request, asked, talk.signal).catch(toError);
  let turn = await ask();
  if (turn instanceof ModelError && !turn.spoken && started.size === 0) turn = await ask();
  await silence.end();
  talk.modelMs.push(turn instanceof Error ? ports.now().getTime() - startedMs : turn.modelMs);
  if (turn instanceof ModelError) throw await apologise(talk, turn);
  if (turn instanceof Error) throw turn;
  if (!turn.hasExpectation && turn.text !== "") floor.expect(expectAny(plan.outputs));
  talk.usage.inputTokens += turn.inputTokens;
  talk.usage.outputTokens += turn.outputTokens;
  return turn;
}

/** Where nobody tells what is asked for, it may be anything that is to be found out. */
function expectAny(outputs: OutputDefinition[]): JsonSchema | null {
  const [first, ...others] = outputs.map(({ schema }) => schema);
  // Alone it stays as it is, so that its references lead somewhere.
  return first === undefined || others.length === 0 ? (first ?? null) : { anyOf: [first, ...others] };
}

/** Speaks the apology and gives the error back to be thrown. */
async function apologise(talk: Talk, error: ModelError): Promise<ModelError> {
  await talk.floor.say(talk.phrases.apology);
  return error;
}
