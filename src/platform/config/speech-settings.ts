import { resolve } from "node:path";
import { ConfigError, type Environment, readBaseUrl, readInteger } from "./environment.ts";

/** STT engines of calls. LOCAL is the program pocketsphinx, TONE the sandbox's own. */
export const STT_NAMES = ["DEEPGRAM", "OPENAI_COMPATIBLE", "LOCAL", "TONE"] as const;
export type SttName = (typeof STT_NAMES)[number];

/** TTS engines of calls. FLITE is the program of this name, TONE the sandbox's own. */
export const TTS_NAMES = ["ELEVENLABS", "DEEPGRAM", "OPENAI_COMPATIBLE", "FLITE", "TONE"] as const;
export type TtsName = (typeof TTS_NAMES)[number];

/** One account at a provider; the models and voices are the defaults of flows that name none. */
interface Account {
  baseUrl: string;
  apiKey: string;
}

/** Providers of speech in calls; an undefined one cannot be used. */
export interface SpeechSettings {
  deepgram: (Account & { model: string; voice: string }) | undefined;
  elevenLabs: (Account & { model: string; voice: string }) | undefined;
  openAi:
    | { baseUrl: string; apiKey: string | undefined; transcriptionModel: string; speechModel: string; voice: string }
    | undefined;
  /** In the order in which they are asked; null: all there are, providers before programs. */
  sttProviders: SttName[] | null;
  ttsProviders: TtsName[] | null;
  /** Bytes of memory for the cache of phrases already spoken; 0: no cache. */
  phraseCacheBytes: number;
  /** File of a Silero model that tells speech from noise; null: speech is detected by energy. */
  vadModel: string | null;
}

/** Addresses of the providers, and the models and voices asked of them unless others are set. */
export const SPEECH_DEFAULTS = {
  deepgram: { baseUrl: "https://api.deepgram.com", model: "nova-3", voice: "aura-2-thalia-en" },
  elevenLabs: { baseUrl: "https://api.elevenlabs.io", model: "eleven_flash_v2_5", voice: "21m00Tcm4TlvDq8ikWAM" },
  openAi: {
    baseUrl: "https://api.openai.com/v1",
    transcriptionModel: "whisper-1",
    speechModel: "gpt-4o-mini-tts",
    voice: "alloy",
  },
} as const;

/** Variable that makes each provider usable, for messages. */
const KEYS: Partial<Record<SttName | TtsName, string>> = {
  DEEPGRAM: "DEEPGRAM_API_KEY",
  ELEVENLABS: "ELEVENLABS_API_KEY",
  OPENAI_COMPATIBLE: "OPENAI_API_KEY or OPENAI_BASE_URL",
};
const MB = 1024 * 1024;

/** Reads the settings of speech; throws a ConfigError that names the variable. */
export function readSpeechSettings(env: Environment): SpeechSettings {
  const { DEEPGRAM_API_KEY: deepgramKey, ELEVENLABS_API_KEY: elevenLabsKey, OPENAI_API_KEY: openAiKey } = env;
  const deepgram = {
    baseUrl: readBaseUrl(env.DEEPGRAM_URL, "DEEPGRAM_URL", SPEECH_DEFAULTS.deepgram.baseUrl),
    apiKey: deepgramKey ?? "",
    model: env.DEEPGRAM_MODEL || SPEECH_DEFAULTS.deepgram.model,
    voice: env.DEEPGRAM_VOICE || SPEECH_DEFAULTS.deepgram.voice,
  };
  const elevenLabs = {
    baseUrl: readBaseUrl(env.ELEVENLABS_URL, "ELEVENLABS_URL", SPEECH_DEFAULTS.elevenLabs.baseUrl),
    apiKey: elevenLabsKey ?? "",
    model: env.ELEVENLABS_MODEL || SPEECH_DEFAULTS.elevenLabs.model,
    voice: env.ELEVENLABS_VOICE || SPEECH_DEFAULTS.elevenLabs.voice,
  };
  const openAi = {
    baseUrl: readBaseUrl(env.OPENAI_BASE_URL, "OPENAI_BASE_URL", SPEECH_DEFAULTS.openAi.baseUrl),
    apiKey: openAiKey || undefined,
    transcriptionModel: env.TRANSCRIPTION_MODEL || SPEECH_DEFAULTS.openAi.transcriptionModel,
    speechModel: env.SPEECH_MODEL || SPEECH_DEFAULTS.openAi.speechModel,
    voice: env.SPEECH_VOICE || SPEECH_DEFAULTS.openAi.voice,
  };
  const accounts = {
    deepgram: deepgramKey ? deepgram : undefined,
    elevenLabs: elevenLabsKey ? elevenLabs : undefined,
    openAi: openAiKey || env.OPENAI_BASE_URL ? openAi : undefined,
  };
  const usable = { DEEPGRAM: accounts.deepgram, ELEVENLABS: accounts.elevenLabs, OPENAI_COMPATIBLE: accounts.openAi };
  return {
    ...accounts,
    sttProviders: readNames(env, "SPEECH_TO_TEXT", STT_NAMES, usable),
    ttsProviders: readNames(env, "TEXT_TO_SPEECH", TTS_NAMES, usable),
    phraseCacheBytes: readInteger(env, "PHRASE_CACHE_MB", 64, 0, 16_384) * MB,
    vadModel: env.SPEECH_VAD_MODEL ? resolve(env.SPEECH_VAD_MODEL) : null,
  };
}

/** Reads a list in order of preference. Throws at the start for a provider whose key is not set. */
function readNames<Name extends SttName | TtsName>(
  env: Environment,
  variable: string,
  names: readonly Name[],
  usable: Partial<Record<string, object>>,
): Name[] | null {
  const listed = (env[variable] ?? "").split(",").map((part) => part.trim().toUpperCase());
  const found = [...new Set(listed.filter(Boolean))].map((text) => {
    const name = names.find((one) => one === text);
    if (name === undefined) throw new ConfigError(`${variable} takes ${names.join(", ")}, not "${text}".`);
    const key = KEYS[name];
    if (key && !usable[name]) throw new ConfigError(`${variable} names ${name}, which needs ${key}.`);
    return name;
  });
  return found.length > 0 ? found : null;
}
