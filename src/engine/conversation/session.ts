import type { AnswerWatch } from "#src/audio/line/line.ts";
import { findDoubt, type OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { ModelError } from "./agent-turn.ts";
import { converse } from "./converse.ts";
import { type Extraction, extractOutputs, selectOutputs } from "./extraction.ts";
import { Floor, LineFaultError, StoppedError } from "./floor.ts";
import { MachineAnswered, watchMachines } from "./machine-watch.ts";
import { answerVoicemail, passMenu } from "./machine.ts";
import type { SessionEndReason, SessionOutcome, SessionPlan } from "./plan.ts";
import type { AnsweredBy, SessionPorts } from "./ports.ts";
import { lookUpFirst } from "./proactive.ts";
import { type SessionTexts, renderTexts } from "./prompt.ts";
import { createTalk, type Talk } from "./talk.ts";

const MODEL_STALL_MS = 10_000;
/** How long a person may take to their hello. */
const GREETING_WITHIN_MS = 1_200;
/** Whoever greeted, and is silent for so long after a pause was told of, waits for us, whenever the words come. */
const GREETED_MS = 400;
/** Verdicts that are acted on; a line that goes on changing its mind is taken as it is. */
const MAX_REVISIONS = 3;
const NO_EXTRACTION: Extraction = { outputs: {}, extractedFields: {}, pending: [], inputTokens: 0, outputTokens: 0 };

/** How a session came to its end. */
interface Ending {
  reason: SessionEndReason;
  error: { code: string; message: string } | null;
}

/**
 * Holds one conversation from the answer to the hang-up, then fills the plan's outputs. Never rejects: whatever
 * happens is a defined end with the transcript so far. `signal` ends it at once with ERROR_INTERRUPTED; whoever supervises
 * it, with ENDED_BY_REQUEST.
 */
export async function runSession(plan: SessionPlan, ports: SessionPorts, signal: AbortSignal): Promise<SessionOutcome> {
  const stop = ports.notes ? AbortSignal.any([signal, ports.notes.ended]) : signal;
  const floor = new Floor(ports, stop);
  const talk = createTalk(plan, ports, floor, stop, ports.modelStallMs ?? MODEL_STALL_MS);
  const ending = await holdTalk(talk, signal);
  talk.toolsStop.abort(new StoppedError());
  floor.close();
  const durationMs = floor.elapsedMs();
  // A call that was handed over is no longer ours to end.
  const isOurs = ending.reason !== "AGENT_TRANSFERRED_CALL";
  const hungUp = isOurs ? ports.line.hangUp().catch(() => undefined) : Promise.resolve();
  // A stopped session waits for nothing; otherwise the line is free before the outputs are filled.
  if (!signal.aborted) await hungUp;
  const extraction = await extract(talk, ending, signal);
  return {
    endReason: ending.reason,
    turns: floor.turns,
    outputs: extraction.outputs,
    pendingOutputs: talk.plan.outputs.filter(({ name }) => extraction.pending.includes(name)),
    extractedFields: extraction.extractedFields,
    durationMs,
    usage: {
      inputTokens: talk.usage.inputTokens + extraction.inputTokens,
      outputTokens: talk.usage.outputTokens + extraction.outputTokens,
    },
    modelMs: talk.modelMs,
    error: ending.error ?? talk.notedError,
    humanRequested: talk.wantsHuman,
    doubt: findSessionDoubt(talk, ending),
  };
}

const ENDED_WITH_MACHINE = new Set<SessionEndReason>(["AGENT_LEFT_VOICEMAIL", "AGENT_HUNG_UP_ON_MACHINE"]);

/** Takes the second look at what the person said. The words of machines are nobody's wish. */
function findSessionDoubt({ floor, plan, optOut }: Talk, { reason }: Ending): OptOutDoubt | null {
  if (ENDED_WITH_MACHINE.has(reason)) return null;
  const lines = floor.turns.map((turn) => (floor.machineTurns.has(turn) ? { ...turn, role: "SYSTEM" } : turn));
  return findDoubt(lines, plan.flow.language, optOut.settledTurns);
}

async function holdTalk(talk: Talk, signal: AbortSignal): Promise<Ending> {
  try {
    const reason = await answer(talk);
    // Whatever else ended the call: the person asked not to be called again.
    return { reason: talk.optedOut && reason !== "ERROR_INTERRUPTED" ? "CUSTOMER_OPTED_OUT" : reason, error: null };
  } catch (error) {
    if (talk.signal.aborted || error instanceof StoppedError)
      return signal.aborted ? interrupted() : endedByRequest(talk);
    if (error instanceof LineFaultError) return { reason: "ERROR_SPEECH", error: await partSpeechless(talk, error) };
    if (talk.optedOut) return { reason: "CUSTOMER_OPTED_OUT", error: describe(error) };
    return { reason: error instanceof ModelError ? "ERROR_MODEL" : "CARRIER_CONNECTION_LOST", error: describe(error) };
  }
}

/** Whoever cannot be understood any more is told goodbye; where no words can be said, a sound ends the call. */
async function partSpeechless({ floor, phrases }: Talk, { code, message }: LineFaultError) {
  await floor.signOff(code === "TEXT_TO_SPEECH_FAILED" ? null : phrases.apology).catch(() => undefined);
  return { code, message: message.slice(0, 500) };
}

function endedByRequest({ optedOut }: Talk): Ending {
  return { reason: optedOut ? "CUSTOMER_OPTED_OUT" : "ENDED_BY_REQUEST", error: null };
}

function interrupted(): Ending {
  return {
    reason: "ERROR_INTERRUPTED",
    error: { code: "INTERRUPTED", message: "The session was stopped from outside." },
  };
}

function describe(thrown: unknown): { code: string; message: string } {
  const { message } = toError(thrown);
  const code = thrown instanceof ModelError ? thrown.code : "LINE_FAILED";
  return { code, message: message.slice(0, 500) };
}

async function answer(talk: Talk): Promise<SessionEndReason> {
  const { floor, plan, ports } = talk;
  const lookUps = await lookUpFirst(talk);
  const texts = renderTexts(plan, ports.now(), talk.variables);
  floor.messages.push(texts.system, ...texts.examples);
  lookUps.record();
  talk.voicemailMessage = texts.voicemailMessage;
  talk.notedError ??= texts.error;
  if (!ports.line.answers) return meet(talk, texts, ports.answeredBy);
  return meetUnknown(talk, texts, ports.line.answers);
}

/** Talks to whoever it is; when that turns out to be a machine, goes on as one talks to that. */
async function meetUnknown(talk: Talk, texts: SessionTexts, answers: AnswerWatch): Promise<SessionEndReason> {
  const { floor } = talk;
  for (let who = talk.ports.answeredBy, revisions = 0; ; revisions++) {
    const watch = revisions < MAX_REVISIONS ? watchMachines(answers, who) : null;
    floor.watchMachines(watch);
    try {
      return await meet(talk, texts, who);
    } catch (error) {
      if (!(error instanceof MachineAnswered)) throw error;
      who = error.answeredBy;
    } finally {
      watch?.stop();
      floor.watchMachines(null);
    }
  }
}

async function meet(talk: Talk, texts: SessionTexts, who: AnsweredBy): Promise<SessionEndReason> {
  const { floor, plan, ports } = talk;
  if (who !== "HUMAN" && who !== "UNCERTAIN" && who !== "MACHINE_SCREENING") floor.owe(null);
  switch (who) {
    case "FAX":
    case "MACHINE_UNAVAILABLE":
      return "AGENT_HUNG_UP_ON_MACHINE";
    case "MACHINE_VOICEMAIL":
      return answerVoicemail(floor, plan, texts.voicemailMessage, ports.line.answers);
    case "MACHINE_IVR":
      return (await passMenu(floor, talk.silenceMs)) ?? converse(talk, texts.firstMessage);
    case "HUMAN":
    case "UNCERTAIN":
      return (await hearGreeting(talk)) ?? converse(talk, texts.firstMessage);
    case "MACHINE_SCREENING":
      return converse(talk, texts.firstMessage);
  }
}

/** People say hello first; the agent's opening would be lost under it. A line without sound has nobody talking over. */
async function hearGreeting({ floor, ports }: Talk): Promise<SessionEndReason | null> {
  if (!ports.line.isLive) return null;
  const heard = await floor.listen(GREETING_WITHIN_MS, { isOurTurn: true, quietMs: GREETED_MS });
  if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
  return heard.kind === "DROPPED" ? "CARRIER_CONNECTION_LOST" : null;
}

async function extract(talk: Talk, ending: Ending, signal: AbortSignal): Promise<Extraction> {
  const { plan, ports, floor } = talk;
  const outputs = selectOutputs(plan, talk.variables, ending.reason);
  const nobodySpoke = !floor.messages.some((message) => message.role === "USER");
  if (ending.reason === "ERROR_INTERRUPTED" || nobodySpoke || outputs.length === 0) return NO_EXTRACTION;
  return extractOutputs({
    model: ports.model,
    messages: floor.messages,
    outputs,
    language: plan.flow.language,
    validate: ports.validate,
    now: () => ports.now(),
    timeoutMs: talk.modelLimits.totalMs,
    signal,
  });
}
