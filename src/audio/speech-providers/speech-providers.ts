import { createDeepgramTts } from "#src/audio/speech-providers/deepgram/deepgram-tts.ts";
import { createDeepgramVoices } from "#src/audio/speech-providers/deepgram/deepgram-voices.ts";
import { createElevenLabsTts } from "#src/audio/speech-providers/elevenlabs/elevenlabs-tts.ts";
import { createElevenLabsVoices } from "#src/audio/speech-providers/elevenlabs/elevenlabs-voices.ts";
import { createFliteTts } from "#src/audio/speech-providers/flite/flite-tts.ts";
import { createFliteVoices } from "#src/audio/speech-providers/flite/flite-voices.ts";
import { createOpenAiTts } from "#src/audio/speech-providers/openai-compatible/openai-tts.ts";
import { createOpenAiVoices } from "#src/audio/speech-providers/openai-compatible/openai-voices.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import { createFallbackStt } from "#src/audio/stt/fallback-stt.ts";
import { measureStt } from "#src/audio/stt/measured-stt.ts";
import type { Stt } from "#src/audio/stt/stt.ts";
import { createFallbackTts, type OnSpeechFailover } from "#src/audio/tts/fallback-tts.ts";
import { FirstSounds } from "#src/audio/tts/first-sounds.ts";
import { measureTts } from "#src/audio/tts/measured-tts.ts";
import { PhraseCache } from "#src/audio/tts/phrase-cache.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { VoiceSource } from "#src/audio/tts/voices.ts";
import type { SttName, SpeechSettings, TtsName } from "#src/platform/config/speech-settings.ts";
import type { SafeFetch, SafeOpen } from "#src/platform/http/safe-fetch.ts";
import type { OpenSocket } from "#src/platform/http/safe-socket.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { OnProviderRequest } from "#src/platform/kernel/provider-request.ts";
import { createDeepgramStt } from "./deepgram/deepgram-stt.ts";
import { createOpenAiStt } from "./openai-compatible/openai-stt.ts";
import { findSpeechPrograms, type SpeechPrograms } from "./speech-programs.ts";
import { createSphinxStt } from "./sphinx/sphinx-stt.ts";
import { toneStt } from "./tone/tone-stt.ts";

/**
 * Time limits of TTS. A person waits: 1.5 s without a sound is long, and two providers must fit into little more than
 * 2.5 s.
 */
export const SPEAK_LIMITS = { firstPieceMs: 1_500, stallMs: 4_000, totalMs: 60_000, restMs: 30_000 };
/** Time limits of STT. */
export const HEAR_LIMITS = { flushMs: 2_000, lastFlushMs: 8_000, restMs: 30_000 };

/** Configuration that makes a provider usable. */
const HOW_TO_CONFIGURE: Record<SttName | TtsName, string> = {
  DEEPGRAM: "The operator sets DEEPGRAM_API_KEY, or the workspace stores an account.",
  ELEVENLABS: "The operator sets ELEVENLABS_API_KEY, or the workspace stores an account.",
  OPENAI_COMPATIBLE: "The operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for a server of one's own.",
  LOCAL: "The operator installs the program pocketsphinx with its English model (en-us).",
  FLITE: "The operator installs the program flite.",
  TONE: "It is always there.",
};

/** Speech providers that this process can use. */
export interface SpeechProviders {
  /** Names in order of preference; TONE only where the operator lists it. */
  sttProviders: SttName[];
  ttsProviders: TtsName[];
  /**
   * Returns one STT of the named providers, later ones as fallbacks; without names, of all. Throws VALIDATION_FAILED
   * with the missing configuration when one cannot be used.
   */
  findStt(names?: readonly SttName[]): Stt;
  /** The same for TTS. */
  findTts(names?: readonly TtsName[]): Tts;
  /** Returns the voices of a TTS provider; null for one that has no choice of them, or that cannot be used. */
  voicesOf(name: TtsName): VoiceSource | null;
  /** Returns the median time to the first sound of a provider's latest sentences; null before the first. */
  firstSoundOf(name: TtsName): { medianMs: number; sentences: number } | null;
  /** Providers that the operator lists and that are not available, each with its missing configuration. */
  missing: string[];
}

/** Clients through which providers are called. */
export interface SpeechParts {
  safeFetch: SafeFetch;
  safeOpen: SafeOpen;
  /** Opens a connection ahead of a request to an address. */
  warm?: (url: string) => void;
  openSocket: OpenSocket;
  log: Log;
  /** Called after each request to a provider; what the cache of phrases answers is none. */
  onRequest?: OnProviderRequest;
}

/** Creates the configured providers and finds the programs. */
export async function createSpeechProviders(
  settings: SpeechSettings,
  { searchPath, ...parts }: SpeechParts & { searchPath: string },
): Promise<SpeechProviders> {
  const cache = new PhraseCache(settings.phraseCacheBytes);
  return joinSpeechProviders(settings, parts, await findSpeechPrograms(searchPath), (one) => cache.wrap(one));
}

/** Creates the configured providers; `remember` wraps a TTS with the cache of phrases. */
export function joinSpeechProviders(
  settings: SpeechSettings,
  parts: SpeechParts,
  programs: SpeechPrograms,
  remember: (tts: Tts) => Tts,
): SpeechProviders {
  const firstSounds = new FirstSounds();
  const onRequest: OnProviderRequest = (request) => {
    firstSounds.note(request);
    parts.onRequest?.(request);
  };
  const sttProviders = makeStt(settings, parts, programs);
  const ttsProviders = makeTts(settings, { ...parts, onRequest }, programs, remember);
  const voices = findVoices(settings, parts, programs);
  const onFailover: OnSpeechFailover = (failed, next, error) =>
    parts.log.warn("A provider of speech was given up for the next one.", { failed, next, error: error.message });
  const sttNames = orderOf(settings.sttProviders, sttProviders);
  const ttsNames = orderOf(settings.ttsProviders, ttsProviders);
  return {
    sttProviders: sttNames,
    ttsProviders: ttsNames,
    voicesOf: (name) => voices.get(name) ?? null,
    firstSoundOf: (name) => firstSounds.of(name),
    missing: [
      ...(settings.sttProviders ?? []).filter((name) => !sttProviders.has(name)),
      ...(settings.ttsProviders ?? []).filter((name) => !ttsProviders.has(name)),
    ].map((name) => `${name} is listed, and not there. ${HOW_TO_CONFIGURE[name]}`),
    findStt: rememberByNames((names: readonly SttName[] = sttNames) =>
      createFallbackStt(pick(names, sttProviders, "speech to text"), HEAR_LIMITS, onFailover),
    ),
    findTts: rememberByNames((names: readonly TtsName[] = ttsNames) =>
      createFallbackTts(pick(names, ttsProviders, "text to speech"), SPEAK_LIMITS, onFailover),
    ),
  };
}

function makeStt(
  { deepgram, openAi }: SpeechSettings,
  { safeFetch, openSocket, log, onRequest = () => undefined }: SpeechParts,
  { sphinx }: SpeechPrograms,
): Map<SttName, Stt> {
  const all = new Map<SttName, Stt>();
  if (deepgram) all.set("DEEPGRAM", createDeepgramStt(deepgram, openSocket));
  if (openAi) {
    all.set("OPENAI_COMPATIBLE", createOpenAiStt({ ...openAi, model: openAi.transcriptionModel }, safeFetch));
  }
  if (sphinx) all.set("LOCAL", createSphinxStt(sphinx, log));
  all.set("TONE", toneStt);
  return new Map([...all].map(([name, stt]) => [name, measureStt(stt, name, HEAR_LIMITS.flushMs, onRequest)]));
}

function makeTts(
  { deepgram, elevenLabs, openAi }: SpeechSettings,
  { safeOpen, warm, onRequest = () => undefined }: SpeechParts,
  { flite }: SpeechPrograms,
  remember: (tts: Tts) => Tts,
): Map<TtsName, Tts> {
  const all = new Map<TtsName, Tts>();
  const wrap = (name: TtsName, tts: Tts) => remember(measureTts(tts, name, onRequest));
  const add = (name: TtsName, { baseUrl }: { baseUrl: string }, tts: Tts) =>
    all.set(name, { ...wrap(name, tts), warm: () => warm?.(baseUrl) });
  if (elevenLabs) add("ELEVENLABS", elevenLabs, createElevenLabsTts(elevenLabs, safeOpen));
  if (deepgram) add("DEEPGRAM", deepgram, createDeepgramTts(deepgram, safeOpen));
  if (openAi) add("OPENAI_COMPATIBLE", openAi, createOpenAiTts({ ...openAi, model: openAi.speechModel }, safeOpen));
  if (flite) all.set("FLITE", wrap("FLITE", createFliteTts(flite)));
  return all.set("TONE", measureTts(toneTts, "TONE", onRequest));
}

function findVoices(
  { deepgram, elevenLabs, openAi }: SpeechSettings,
  { safeFetch }: SpeechParts,
  { flite }: SpeechPrograms,
): Map<TtsName, VoiceSource> {
  const all = new Map<TtsName, VoiceSource>();
  if (elevenLabs) all.set("ELEVENLABS", createElevenLabsVoices(elevenLabs, safeFetch));
  if (deepgram) all.set("DEEPGRAM", createDeepgramVoices(deepgram, safeFetch));
  if (openAi) all.set("OPENAI_COMPATIBLE", createOpenAiVoices({ ...openAi, model: openAi.speechModel }, safeFetch));
  return flite ? all.set("FLITE", createFliteVoices(flite)) : all;
}

/** Returns the operator's order; otherwise all but TONE, which nobody wants to hear unasked. */
function orderOf<Name extends string>(listed: Name[] | null, all: ReadonlyMap<Name, unknown>): Name[] {
  return listed ? listed.filter((name) => all.has(name)) : [...all.keys()].filter((name) => name !== "TONE");
}

function pick<Name extends SttName | TtsName, Provider>(
  names: readonly Name[],
  all: ReadonlyMap<Name, Provider>,
  what: string,
): readonly [Provider, ...Provider[]] {
  const [first, ...others] = [...new Set(names)].map((name) => {
    const provider = all.get(name);
    if (provider) return provider;
    throw new AppError("VALIDATION_FAILED", `${name} is not configured for ${what}. ${HOW_TO_CONFIGURE[name]}`);
  });
  if (first !== undefined) return [first, ...others];
  const key = "DEEPGRAM_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL";
  throw new AppError("VALIDATION_FAILED", `No provider of ${what} is configured. The operator sets ${key}.`);
}

/** Keeps one provider per list of names, so that a failure in one call is known in the next. */
function rememberByNames<Name, Provider>(
  make: (names?: readonly Name[]) => Provider,
): (names?: readonly Name[]) => Provider {
  const made = new Map<string, Provider>();
  return (names) => {
    const key = names ? [...new Set(names)].join(",") : "";
    const provider = made.get(key) ?? make(names);
    made.set(key, provider);
    return provider;
  };
}
