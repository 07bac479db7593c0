import type { TtsSettings } from "#src/audio/tts/http-tts-provider.ts";
import { fetchVoices, listOf, textsOf, type Voice, type VoiceSource } from "#src/audio/tts/voices.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";

/** Voices of an account at ElevenLabs (GET /v1/voices): its own, and those that everybody has. */
export function createElevenLabsVoices(settings: TtsSettings, safeFetch: SafeFetch): VoiceSource {
  const request = { url: `${settings.baseUrl}/v1/voices`, headers: { "xi-api-key": settings.apiKey ?? "" } };
  return {
    defaultVoice: settings.voice,
    list: () =>
      fetchVoices("ElevenLabs", safeFetch, request, (answer) =>
        listOf(answer, "voices").flatMap((voice) => toVoice(voice)),
      ),
  };
}

function toVoice({ voice_id: id, name, labels, verified_languages: verified }: Record<string, unknown>): Voice[] {
  if (typeof id !== "string" || id === "") return [];
  const { language, ...others } = (labels ?? {}) as Record<string, unknown>;
  const checked = listOf({ verified }, "verified").map(({ locale, language: code }) => locale ?? code);
  return [
    {
      id,
      name: typeof name === "string" && name !== "" ? name : id,
      languages: textsOf([language, ...checked]),
      description: textsOf([others.gender, others.accent, others.description, others.use_case]).join(", ") || null,
    },
  ];
}
