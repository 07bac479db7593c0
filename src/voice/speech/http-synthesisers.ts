import type { SafeOpen } from "#src/http/safe-fetch.ts";
import { type Synthesiser, VOICE_RATE_HZ, type VoiceOptions } from "#src/voice/speech-ports.ts";
import { type SpeechRequest, speakOverHttp } from "./http-speech.ts";
import { SpeechError } from "./speech-error.ts";
import { splitText } from "./split-text.ts";

/** A provider's account and defaults. */
export interface SynthesiserSettings {
  /** ElevenLabs and Deepgram: origin, without /v1. OpenAI's protocol: up to and with /v1. */
  baseUrl: string;
  /** Undefined for servers that ask for none. */
  apiKey: string | undefined;
  model: string;
  /** The voice of flows that name none. */
  voice: string;
}

interface Provider {
  name: string;
  label: string;
  /** The longest text of one request. */
  maxCharacters: number;
  voices: RegExp;
  toRequest(text: string, voice: string, options: VoiceOptions): SpeechRequest;
}

/** Where a voice becomes a part of the address. */
const VOICE_IN_ADDRESS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const VOICE_IN_BODY = /^.{1,200}$/u;

/**
 * ElevenLabs by its streamed POST. Its WebSocket takes text in pieces; a whole text, as this port has it, is spoken
 * sooner by POST.
 */
export function createElevenLabsSynthesiser(settings: SynthesiserSettings, safeOpen: SafeOpen): Synthesiser {
  // Other models refuse a language.
  const takesLanguage = /(turbo|flash)_v2_5/.test(settings.model);
  return createSynthesiser(settings, safeOpen, {
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

/** Deepgram's Aura: the voice is the model. */
export function createDeepgramSynthesiser(settings: SynthesiserSettings, safeOpen: SafeOpen): Synthesiser {
  return createSynthesiser(settings, safeOpen, {
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

/** OpenAI, or a server of one's own that speaks its POST /audio/speech. */
export function createOpenAiSynthesiser(settings: SynthesiserSettings, safeOpen: SafeOpen): Synthesiser {
  return createSynthesiser(settings, safeOpen, {
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

function createSynthesiser(settings: SynthesiserSettings, safeOpen: SafeOpen, provider: Provider): Synthesiser {
  return {
    name: provider.name,
    async *speak(text, options, signal) {
      const voice = options.voiceId ?? settings.voice;
      if (!provider.voices.test(voice))
        throw new SpeechError("UNSUPPORTED", `${provider.label} has no voice of this id.`);
      for (const part of splitText(text, provider.maxCharacters)) {
        if (signal.aborted) return;
        yield* speakOverHttp(provider.label, safeOpen, provider.toRequest(part, voice, options), signal);
      }
    },
  };
}

/** ISO 639-1, so of en-US only en. */
function primaryLanguage(language: string): string {
  return language.split("-", 1)[0]?.toLowerCase() ?? language;
}
