import { MessageChannel } from "node:worker_threads";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import { createFliteTts } from "#src/audio/speech-providers/flite/flite-tts.ts";
import { createSphinxStt } from "#src/audio/speech-providers/sphinx/sphinx-stt.ts";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import { VoiceLine } from "#src/audio/voice/voice-line.ts";
import type { CallMediaEvent } from "#src/audio/worker/messages.ts";
import { type OpenCall, openCall } from "#src/audio/worker/open-call.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { handleOf } from "../trial-media.ts";
import { type CallerLine, RecordedCaller } from "./caller.ts";
import { CALLER_VOICE, type LocalEngines } from "./engines.ts";

const MAX_FRAMES = 15_000;
export const TODAY = "2026-11-21";

/** A line of the caller: a string is said once the agent is silent, an object this far into the agent's speech. */
export type Said = string | { over: string; afterMs: number };

/** Result of a call. */
export interface SpokenCall {
  outcome: SessionOutcome;
  recording: RecordingSummary | null;
  faults: string[];
  /** True when the caller said all their lines. */
  saidAll: boolean;
  optedOut: boolean;
}

/**
 * Holds a whole call with a caller of recorded lines: in frames of mu-law, with the local engines, the turn engine, AMD
 * and the recorder of real calls. The frames wait while an engine works, so that a call takes as long as the engines
 * do, and has the same result everywhere.
 */
export async function holdSpokenCall(
  engines: LocalEngines,
  plan: SessionPlan,
  said: Said[],
  path: string,
): Promise<SpokenCall> {
  const caller = new RecordedCaller(await speakLines(engines, said));
  const faults: string[] = [];
  const call = openMedia(caller, path, (events) => {
    if (events.kind !== "ENDED") line.onEvent(events);
  });
  let recording: Promise<RecordingSummary | null> = Promise.resolve(null);
  const log = createLog("warn", (text) => void faults.push(text));
  const line: VoiceLine = new VoiceLine({
    media: { ...handleOf(() => call.media), close: () => void (recording = call.close(null)) },
    stt: createSphinxStt(engines.sphinx, log),
    tts: createFliteTts(engines.flite),
    language: "en-US",
    voiceId: null,
    hints: [],
    onFault: (code, message) => void faults.push(`${code}: ${message}`),
  });
  let optedOut = false;
  const ports = {
    line,
    model: createScriptedModel(),
    now: () => new Date(`${TODAY}T10:00:00Z`),
    validate: validateAgainst,
    answeredBy: "UNCERTAIN" as const,
    onTurn: () => undefined,
    addToDoNotCall: async () => void (optedOut = true),
  };
  let isOver = false;
  const ended = runSession(plan, ports, new AbortController().signal).finally(() => (isOver = true));
  for (let frames = 0; !isOver && frames < MAX_FRAMES; frames++) await playFrame(call, engines);
  const outcome = await ended;
  await line.hangUp();
  return { outcome, recording: await recording, faults, saidAll: caller.isDone, optedOut };
}

function openMedia(caller: RecordedCaller, path: string, onMediaEvent: (event: CallMediaEvent) => void): OpenCall {
  const options = {
    source: { kind: "PORT" as const, port: new MessageChannel().port1 },
    language: "en-US",
    vad: "ENERGY" as const,
    hasStt: true,
    endpointingMs: 500,
    bargeInMs: 300,
    recording: { path, key: null },
    carrierVerdict: null,
  };
  return openCall(
    options,
    { openTransport: () => caller, openVad: () => new EnergyVad() },
    onMediaEvent,
    () => undefined,
  );
}

async function playFrame(call: OpenCall, engines: LocalEngines): Promise<void> {
  call.media.tick();
  do await new Promise((resolve) => setTimeout(resolve, engines.isBusy ? 2 : 0));
  while (engines.isBusy);
}

/** Synthesises the lines of a caller. */
export function speakLines({ flite }: LocalEngines, said: Said[]): Promise<CallerLine[]> {
  return Promise.all(
    said.map(async (one) => {
      const { over: text, afterMs } = typeof one === "string" ? { over: one, afterMs: null } : one;
      return { samples: await flite.say(text, CALLER_VOICE), overAgentAfterMs: afterMs };
    }),
  );
}
