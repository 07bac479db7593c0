import { createHttpTts, type TtsSettings } from "#src/audio/tts/http-tts-provider.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { SafeOpen } from "#src/platform/http/safe-fetch.ts";

const VOICE_IN_BODY = /^.{1,200}$/u;

/** TTS by OpenAI, or a self-hosted server that speaks its POST /audio/speech. */
export function createOpenAiTts(settings: TtsSettings, safeOpen: SafeOpen): Tts {
  return createHttpTts(settings, safeOpen, {
    name: "OPENAI_COMPATIBLE",
    label: "The speech server",
    maxCharacters: 4_096,
    voices: VOICE_IN_BODY,
    toRequest: (input, voice) => ({
      url: `${settings.baseUrl}/audio/speech`,
      headers: settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` },
      body: { model: settings.model, input, voice, response_format: "pcm" },
      encoding: { pcmHz: 24_000 },
    }),
  });
}
