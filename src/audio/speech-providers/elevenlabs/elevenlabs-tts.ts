import { primaryLanguage } from "#src/audio/speech-providers/primary-language.ts";
import { createHttpTts, type TtsSettings, VOICE_IN_ADDRESS } from "#src/audio/tts/http-tts-provider.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { SafeOpen } from "#src/platform/http/safe-fetch.ts";

/**
 * TTS by ElevenLabs' streamed POST. Its WebSocket takes text in pieces; this port has whole texts, which POST speaks
 * sooner.
 */
export function createElevenLabsTts(settings: TtsSettings, safeOpen: SafeOpen): Tts {
  // Other models refuse a language.
  const takesLanguage = /(turbo|flash)_v2_5/.test(settings.model);
  return createHttpTts(settings, safeOpen, {
    name: "ELEVENLABS",
    label: "ElevenLabs",
    maxCharacters: 5_000,
    voices: VOICE_IN_ADDRESS,
    toRequest: (text, voice, { language }) => ({
      url: `${settings.baseUrl}/v1/text-to-speech/${voice}/stream?output_format=ulaw_8000`,
      headers: { "xi-api-key": settings.apiKey ?? "" },
      body: { text, model_id: settings.model, ...(takesLanguage ? { language_code: primaryLanguage(language) } : {}) },
      encoding: { mulaw: true },
    }),
  });
}
