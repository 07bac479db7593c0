import { toError } from "#src/kernel/errors.ts";
import { ModelError } from "./agent-turn.ts";
import { converse } from "./converse.ts";
import { type Extraction, extractOutputs, selectOutputs } from "./extraction.ts";
import { Floor, StoppedError } from "./floor.ts";
import { answerVoicemail, passMenu } from "./machine.ts";
import type { SessionEndReason, SessionOutcome, SessionPlan } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import { lookUpFirst } from "./proactive.ts";
import { renderTexts } from "./prompt.ts";
import { createTalk, type Talk } from "./talk.ts";

const MODEL_STALL_MS = 10_000;
const NO_EXTRACTION: Extraction = { outputs: {}, extractedFields: {}, inputTokens: 0, outputTokens: 0 };

/** How a session came to its end. */
interface Ending {
  reason: SessionEndReason;
  error: { code: string; message: string } | null;
}

/**
 * Holds one conversation from the answer to the hang-up, then fills the plan's outputs. Never rejects: whatever
 * happens is a defined end with the transcript so far. `signal` ends it at once with ERROR_INTERRUPTED.
 */
export async function runSession(plan: SessionPlan, ports: SessionPorts, signal: AbortSignal): Promise<SessionOutcome> {
  const floor = new Floor(ports, signal);
  const talk = createTalk(plan, ports, floor, signal, ports.modelStallMs ?? MODEL_STALL_MS);
  const ending = await holdTalk(talk);
  talk.toolsStop.abort(new StoppedError());
  floor.close();
  const durationMs = floor.elapsedMs();
  // A call that was handed over is no longer ours to end.
  const isOurs = ending.reason !== "AGENT_TRANSFERRED_CALL";
  const hungUp = isOurs ? ports.line.hangUp().catch(() => undefined) : Promise.resolve();
  // A stopped session waits for nothing; otherwise the line is free before the outputs are filled.
  if (!signal.aborted) await hungUp;
  const extraction = await extract(talk, ending);
  return {
    endReason: ending.reason,
    turns: floor.turns,
    outputs: extraction.outputs,
    extractedFields: extraction.extractedFields,
    durationMs,
    usage: {
      inputTokens: talk.usage.inputTokens + extraction.inputTokens,
      outputTokens: talk.usage.outputTokens + extraction.outputTokens,
    },
    modelMs: talk.modelMs,
    error: ending.error ?? talk.notedError,
  };
}

async function holdTalk(talk: Talk): Promise<Ending> {
  try {
    const reason = await answer(talk);
    // Whatever else ended the call: the person asked not to be called again.
    return { reason: talk.optedOut && reason !== "ERROR_INTERRUPTED" ? "CUSTOMER_OPTED_OUT" : reason, error: null };
  } catch (error) {
    if (talk.signal.aborted || error instanceof StoppedError) return interrupted();
    if (talk.optedOut) return { reason: "CUSTOMER_OPTED_OUT", error: describe(error) };
    return { reason: error instanceof ModelError ? "ERROR_MODEL" : "CARRIER_CONNECTION_LOST", error: describe(error) };
  }
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
  switch (ports.answeredBy) {
    case "FAX":
    case "MACHINE_UNAVAILABLE":
      return "AGENT_HUNG_UP_ON_MACHINE";
    case "MACHINE_VOICEMAIL":
      return answerVoicemail(floor, plan, texts.voicemailMessage);
    case "MACHINE_IVR":
      return (await passMenu(floor, talk.silenceMs)) ?? converse(talk, texts.firstMessage);
    case "HUMAN":
    case "MACHINE_SCREENING":
    case "UNCERTAIN":
      return converse(talk, texts.firstMessage);
  }
}

async function extract(talk: Talk, ending: Ending): Promise<Extraction> {
  const { plan, ports, floor, signal } = talk;
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
