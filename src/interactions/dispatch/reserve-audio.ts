import type { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { noSpeech } from "./call-ends.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import { endAbsent } from "./outcome.ts";

/**
 * Delay after a dial refused for lack of media capacity. A call is refused before it rings rather than degrade live
 * ones.
 */
const MEDIA_BUSY_MS = 2_000;
/** Delay until a speech provider may have been configured. */
const NO_SPEECH_MS = 60_000;
const MEDIA_BUSY = { code: "MEDIA_BUSY", message: "This server carries as many calls as it can; the call waits." };

/** True when a call of the sandbox is a conversation in text: faster than real time there is no audio. */
function isText(carrier: Carrier, row: ClaimedRow): boolean {
  return carrier.speaksTones === true && row.sandbox_speed !== 1;
}

/**
 * Reserves the audio that a call needs before it is dialled; `release` gives it back. Returns the end of the attempt
 * when a speech provider is missing or this server carries as many calls as it can.
 */
export async function reserveAudio(
  voice: VoiceCalls,
  carrier: Carrier,
  row: ClaimedRow,
): Promise<{ release: () => void } | { end: CallEnd }> {
  if (!carrier.openMedia || isText(carrier, row)) return { release: () => undefined };
  const missing = carrier.speaksTones ? null : await voice.missingFor(row.workspace_id);
  if (missing !== null) {
    return { end: endAbsent(row, NO_SPEECH_MS, { attemptState: "REFUSED", error: noSpeech(missing) }) };
  }
  const release = voice.reserve();
  if (!release) return { end: endAbsent(row, MEDIA_BUSY_MS, { attemptState: "REFUSED", error: MEDIA_BUSY }) };
  return { release };
}
