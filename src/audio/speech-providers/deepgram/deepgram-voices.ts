import type { TtsSettings } from "#src/audio/tts/http-tts-provider.ts";
import { fetchVoices, listOf, textsOf, type Voice, type VoiceSource } from "#src/audio/tts/voices.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";

/** Voices of Deepgram, where each is a model (GET /v1/models, part `tts`). */
export function createDeepgramVoices(settings: TtsSettings, safeFetch: SafeFetch): VoiceSource {
  const request = {
    url: `${settings.baseUrl}/v1/models`,
    headers: { authorization: `Token ${settings.apiKey ?? ""}` },
  };
  return {
    defaultVoice: settings.voice,
    list: () =>
      fetchVoices("Deepgram", safeFetch, request, (answer) => listOf(answer, "tts").flatMap((model) => toVoice(model))),
  };
}

function toVoice({ canonical_name: id, name, languages, metadata }: Record<string, unknown>): Voice[] {
  if (typeof id !== "string" || id === "") return [];
  const { accent, tags } = (metadata ?? {}) as Record<string, unknown>;
  return [
    {
      id,
      name: typeof name === "string" && name !== "" ? name : id,
      languages: textsOf(languages),
      description: textsOf([accent, ...textsOf(tags)]).join(", ") || null,
    },
  ];
}
