import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { PersonaKind } from "#src/engine/personas/reaction.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { AudioCall } from "#src/telephony/carriers/sandbox/audio-call.ts";
import type { OpenedLine, SuitePorts } from "#src/workbench/simulations/prepared-flow.ts";

/** Milliseconds between two checks for room in the media thread. */
const ROOM_MS = 200;

/** Verdict of a carrier's AMD for each kind of persona. */
const VERDICTS: Record<PersonaKind, AnsweredBy> = {
  PERSON: "HUMAN",
  VOICEMAIL: "MACHINE_VOICEMAIL",
  VOICEMAIL_FULL: "MACHINE_VOICEMAIL",
  MENU: "MACHINE_IVR",
  SCREENER: "MACHINE_SCREENING",
  FAX: "FAX",
};

/**
 * Creates the audio path of simulations: the media thread of the process with a persona at the far end, in tone speech
 * and real time. A simulation waits for room, so that it takes none from calls.
 */
export function createAudioPath(voice: VoiceCalls): NonNullable<SuitePorts["openAudioLine"]> {
  return async ({ persona, language }, signal): Promise<OpenedLine> => {
    const release = await waitForRoom(voice, signal);
    const person = new AudioCall({ persona, behaviour: {}, onTouched: () => undefined, onEnd: () => undefined });
    const call = voice.open({
      source: person.source,
      speech: "TONES",
      language,
      voiceId: null,
      hints: [],
      endOfTurnMs: null,
      bargeInMs: null,
      recording: null,
      carrierVerdict: VERDICTS[persona.kind],
      transfer: (order, stop) => person.transfer(order, stop),
    });
    const onAbort = () => person.finish("CARRIER");
    signal.addEventListener("abort", onAbort, { once: true });
    return {
      line: call.line,
      async close() {
        signal.removeEventListener("abort", onAbort);
        await call.line.hangUp();
        person.finish("AGENT");
        await call.ended;
        release();
      },
    };
  };
}

async function waitForRoom(voice: VoiceCalls, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    const release = voice.reserve();
    if (release) return release;
    await sleep(ROOM_MS, signal);
  }
}
