import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdWatch } from "#src/audio/line/line.ts";
import { addUsage } from "#src/engine/models/models.ts";
import { findDoubt, type OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { joinSignals } from "#src/platform/kernel/joined-signal.ts";
import { ModelError } from "./agent-turn.ts";
import { converse } from "./converse.ts";
import { type Extraction, extractOutputs, selectOutputs } from "./extraction.ts";
import { zoneOf } from "./local-clock.ts";
import { MachineAnswered, watchMachines } from "./machine-watch.ts";
import { answerVoicemail, passMenu } from "./machine.ts";
import { OperatorStop } from "./operator-stop.ts";
import type { SessionEndReason, SessionOutcome, SessionPlan } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import { lookUpFirst } from "./proactive.ts";
import { type SessionTexts, renderTexts } from "./prompt.ts";
import { createSessionState, placeTexts, type SessionState } from "./session-state.ts";
import { endedPath } from "./stage-run.ts";
import { TranscribedLine, LineFaultError, StoppedError } from "./transcribed-line.ts";

const MODEL_STALL_MS = 10_000;
/** Milliseconds within which a person says hello. */
const GREETING_WITHIN_MS = 1_200;
/**
 * Milliseconds of silence after which a person who greeted waits for the agent, even when STT has not returned the
 * words yet.
 */
const GREETED_MS = 400;
/** Longest goodbye to a person whose call the operator ends. */
const LONGEST_GOODBYE_MS = 10_000;
/** Number of AMD verdicts that change the course of a session; further ones are ignored. */
const MAX_REVISIONS = 3;
const INTERRUPTED: Ending = {
  reason: "ERROR_INTERRUPTED",
  error: { code: "INTERRUPTED", message: "The session was stopped from outside." },
};
/** One for all sessions, because nobody reads where a session ended. */
const OVER = new StoppedError();
const NO_EXTRACTION: Extraction = { outputs: {}, extractedFields: {}, pending: [], inputTokens: 0, outputTokens: 0 };

/** Reason for the end of a session, and the error when there was one. */
interface Ending {
  reason: SessionEndReason;
  error: { code: string; message: string } | null;
}

/**
 * Holds one conversation from the answer to the hang-up, then fills the plan's outputs. Never rejects: every failure
 * becomes a defined end with the transcript so far. `signal` ends it at once with ERROR_INTERRUPTED, or with
 * INTERRUPTED_BY_OPERATOR if its reason is an OperatorStop; the supervisor ends it with ENDED_BY_REQUEST, and
 * `ports.closing` with a goodbye and INTERRUPTED_BY_OPERATOR.
 */
export async function runSession(plan: SessionPlan, ports: SessionPorts, signal: AbortSignal): Promise<SessionOutcome> {
  const ends = [signal, ports.notes?.ended, ports.closing].filter((end) => end !== undefined);
  const stop = joinSignals(ends);
  return runUntil(plan, ports, signal, stop.signal).finally(stop.release);
}

/** `stop` aborts with the call's own `signal` and with all else that ends a session early. */
async function runUntil(
  plan: SessionPlan,
  ports: SessionPorts,
  signal: AbortSignal,
  stop: AbortSignal,
): Promise<SessionOutcome> {
  const transcribed = new TranscribedLine(ports, stop);
  const session = createSessionState(plan, ports, transcribed, stop, ports.modelStallMs ?? MODEL_STALL_MS);
  const ending = await runToEnding(session, signal);
  session.toolsStop.abort(OVER);
  transcribed.close();
  const durationMs = transcribed.elapsedMs();
  // After a transfer the call is not ours to end.
  const isOurs = ending.reason !== "AGENT_TRANSFERRED_CALL";
  const hungUp = isOurs ? ports.line.hangUp().catch(() => undefined) : Promise.resolve();
  // A stopped session waits for nothing. Otherwise the line is freed before the outputs are filled.
  if (!signal.aborted) await hungUp;
  const extraction = await extract(session, ending, signal);
  addUsage(session.usage, extraction);
  return {
    endReason: ending.reason,
    turns: transcribed.turns,
    outputs: extraction.outputs,
    pendingOutputs: session.plan.outputs.filter(({ name }) => extraction.pending.includes(name)),
    extractedFields: extraction.extractedFields,
    durationMs,
    usage: session.usage,
    modelMs: session.modelMs,
    error: ending.error ?? session.notedError,
    humanRequested: session.wantsHuman,
    doubt: findSessionDoubt(session, ending),
    stagePath: endedPath(session),
  };
}

const ENDED_WITH_MACHINE = new Set<SessionEndReason>(["AGENT_LEFT_VOICEMAIL", "AGENT_HUNG_UP_ON_MACHINE"]);

/** Checks the transcript again for an opt-out that nothing acted on. Words of machines do not count. */
function findSessionDoubt({ transcribed, plan, optOut }: SessionState, { reason }: Ending): OptOutDoubt | null {
  if (ENDED_WITH_MACHINE.has(reason)) return null;
  const lines = transcribed.turns.map((turn) =>
    transcribed.machineTurns.has(turn) ? { ...turn, role: "SYSTEM" } : turn,
  );
  return findDoubt(lines, plan.flow.language, optOut.settledTurns);
}

/** Runs the session and returns its ending; never rejects. */
async function runToEnding(session: SessionState, signal: AbortSignal): Promise<Ending> {
  try {
    const reason = await holdConversation(session);
    // An opt-out takes precedence over any other reason.
    return { reason: session.optedOut && reason !== "ERROR_INTERRUPTED" ? "CUSTOMER_OPTED_OUT" : reason, error: null };
  } catch (error) {
    if (session.signal.aborted || error instanceof StoppedError) return endStopped(session, signal);
    if (error instanceof LineFaultError) return { reason: "ERROR_SPEECH", error: await partSpeechless(session, error) };
    if (session.optedOut) return { reason: "CUSTOMER_OPTED_OUT", error: describe(error) };
    return { reason: error instanceof ModelError ? "ERROR_MODEL" : "CARRIER_CONNECTION_LOST", error: describe(error) };
  }
}

/** Says goodbye to a person who cannot be understood any more. A tone ends the call when TTS has failed. */
async function partSpeechless({ transcribed, phrases }: SessionState, { code, message }: LineFaultError) {
  await transcribed.signOff(code === "TEXT_TO_SPEECH_FAILED" ? null : phrases.apology).catch(() => undefined);
  return { code, message: message.slice(0, 500) };
}

/** Returns the ending of a session that was stopped, after the goodbye if there is time for one. */
async function endStopped(session: SessionState, signal: AbortSignal): Promise<Ending> {
  const { optedOut, ports, transcribed, phrases } = session;
  const byOperator: Ending = {
    reason: optedOut ? "CUSTOMER_OPTED_OUT" : "INTERRUPTED_BY_OPERATOR",
    error: { code: "INTERRUPTED", message: "The server was stopped by its operator." },
  };
  if (signal.aborted) return signal.reason instanceof OperatorStop ? byOperator : INTERRUPTED;
  if (!ports.closing?.aborted) return { reason: optedOut ? "CUSTOMER_OPTED_OUT" : "ENDED_BY_REQUEST", error: null };
  const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_GOODBYE_MS)]);
  await transcribed.sayLast(phrases.interrupted, until).catch(() => undefined);
  return byOperator;
}

function describe(thrown: unknown): { code: string; message: string } {
  const { message } = toError(thrown);
  const code = thrown instanceof ModelError ? thrown.code : "LINE_FAILED";
  return { code, message: message.slice(0, 500) };
}

/** Renders the texts of the flow and holds the conversation with whoever answered. Returns the reason of its end. */
async function holdConversation(session: SessionState): Promise<SessionEndReason> {
  const { plan, ports } = session;
  const lookUps = await lookUpFirst(session);
  const texts = renderTexts(plan, ports.now(), session.variables);
  placeTexts(session, texts);
  lookUps.record();
  session.voicemailMessage = texts.voicemailMessage;
  session.notedError ??= texts.error;
  if (!ports.line.answers) return meet(session, texts, ports.answeredBy);
  return meetUnknown(session, texts, ports.line.answers);
}

/** Holds the conversation for the assumed kind of answerer, and starts over for a machine when AMD finds one. */
async function meetUnknown(session: SessionState, texts: SessionTexts, answers: AmdWatch): Promise<SessionEndReason> {
  const { transcribed } = session;
  for (let answeredBy = session.ports.answeredBy, revisions = 0; ; revisions++) {
    const watch = revisions < MAX_REVISIONS ? watchMachines(answers, answeredBy) : null;
    transcribed.watchMachines(watch);
    try {
      return await meet(session, texts, answeredBy);
    } catch (error) {
      if (!(error instanceof MachineAnswered)) throw error;
      answeredBy = error.answeredBy;
    } finally {
      watch?.stop();
      transcribed.watchMachines(null);
    }
  }
}

/** Converses with a person, leaves a message on a mailbox, passes a menu, or hangs up, by who answered. */
async function meet(session: SessionState, texts: SessionTexts, answeredBy: AnsweredBy): Promise<SessionEndReason> {
  const { transcribed, plan, ports } = session;
  if (answeredBy !== "HUMAN" && answeredBy !== "UNCERTAIN" && answeredBy !== "MACHINE_SCREENING")
    transcribed.setCallerWaitingSince(null);
  switch (answeredBy) {
    case "FAX":
    case "MACHINE_UNAVAILABLE":
      return "AGENT_HUNG_UP_ON_MACHINE";
    case "MACHINE_VOICEMAIL":
      return answerVoicemail(transcribed, plan, texts.voicemailMessage, ports.line.answers);
    case "MACHINE_IVR":
      return (await passMenu(transcribed, session.silenceMs)) ?? converse(session, texts.firstMessage);
    case "HUMAN":
    case "UNCERTAIN":
      return (await hearGreeting(session)) ?? converse(session, texts.firstMessage);
    case "MACHINE_SCREENING":
      return converse(session, texts.firstMessage);
  }
}

/**
 * Waits for the person's hello, under which the agent's opening would be lost. A line without live audio needs no wait.
 */
async function hearGreeting({ transcribed, ports }: SessionState): Promise<SessionEndReason | null> {
  if (!ports.line.isLive) return null;
  const heard = await transcribed.listen(GREETING_WITHIN_MS, { isOurTurn: true, quietMs: GREETED_MS });
  if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
  return heard.kind === "DROPPED" ? "CARRIER_CONNECTION_LOST" : null;
}

async function extract(session: SessionState, ending: Ending, signal: AbortSignal): Promise<Extraction> {
  const { plan, ports, transcribed } = session;
  const outputs = selectOutputs(plan, session.variables, ending.reason);
  const nobodySpoke = !transcribed.messages.slice(session.textCount).some(({ role }) => role === "USER");
  if (ending.reason === "ERROR_INTERRUPTED" || nobodySpoke || outputs.length === 0) return NO_EXTRACTION;
  return extractOutputs({
    model: ports.model,
    messages: transcribed.messages,
    maxHistoryTokens: session.limits.maxHistoryTokens,
    outputs,
    language: plan.flow.language,
    validate: ports.validate,
    now: () => ports.now(),
    zone: zoneOf(plan),
    timeoutMs: session.modelLimits.totalMs,
    signal,
    trace: transcribed.trace,
    ...(session.stages ? { recorded: session.stages.state.fields } : {}),
  });
}
