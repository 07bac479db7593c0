import type { TtsSettings } from "#src/audio/tts/http-tts-provider.ts";
import { fetchVoices, listOf, type Voice, type VoiceSource } from "#src/audio/tts/voices.ts";
import { SPEECH_DEFAULTS } from "#src/platform/config/speech-settings.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";

/** Voices of OpenAI's own service, which has no list of them (API reference, createSpeech). */
const OPENAI_VOICES = "alloy ash ballad coral echo fable nova onyx sage shimmer verse".split(" ");

/** Voices of OpenAI, or of a self-hosted server that lists them at GET /audio/voices. */
export function createOpenAiVoices(settings: TtsSettings, safeFetch: SafeFetch): VoiceSource {
  const headers: Record<string, string> =
    settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` };
  const request = { url: `${settings.baseUrl}/audio/voices`, headers };
  const isOpenAi = settings.baseUrl === SPEECH_DEFAULTS.openAi.baseUrl;
  return {
    defaultVoice: settings.voice,
    list: async () =>
      isOpenAi ? OPENAI_VOICES.map(named) : fetchVoices("The speech server", safeFetch, request, readVoices),
  };
}

/** Reads a list of names, or of objects with an id. */
function readVoices(answer: unknown): Voice[] {
  const { voices } = (answer ?? {}) as Record<string, unknown>;
  const names = Array.isArray(voices) ? voices.filter((one): one is string => typeof one === "string") : [];
  const described = listOf(answer, "voices").flatMap(({ id, voice_id: other, name }) => {
    const known = [id, other, name].find((one): one is string => typeof one === "string" && one !== "");
    return known === undefined ? [] : [{ ...named(known), name: typeof name === "string" ? name : known }];
  });
  return [...names.map(named), ...described];
}

function named(id: string): Voice {
  return { id, name: id, languages: [], description: null };
}
