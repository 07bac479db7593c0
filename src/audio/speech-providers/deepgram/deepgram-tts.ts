import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { createHttpTts, type TtsSettings, VOICE_IN_ADDRESS } from "#src/audio/tts/http-tts-provider.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { SafeOpen } from "#src/platform/http/safe-fetch.ts";

/** TTS by Deepgram's Aura, where the voice is the model. */
export function createDeepgramTts(settings: TtsSettings, safeOpen: SafeOpen): Tts {
  return createHttpTts(settings, safeOpen, {
    name: "DEEPGRAM",
    label: "Deepgram",
    maxCharacters: 2_000,
    voices: VOICE_IN_ADDRESS,
    toRequest: (text, voice) => ({
      url: `${settings.baseUrl}/v1/speak?model=${voice}&encoding=mulaw&sample_rate=${VOICE_RATE_HZ}&container=none`,
      headers: { authorization: `Token ${settings.apiKey ?? ""}` },
      body: { text },
      encoding: { mulaw: true },
    }),
  });
}
