import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import type { SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { splitText } from "#src/platform/kernel/split-text.ts";
import { type SpeechRequest, speakOverHttp } from "./http-tts.ts";
import type { Tts, VoiceOptions } from "./tts.ts";

/** A provider's account and defaults. */
export interface TtsSettings {
  /** ElevenLabs and Deepgram: origin, without /v1. OpenAI's protocol: up to and including /v1. */
  baseUrl: string;
  /** Undefined for servers that require none. */
  apiKey: string | undefined;
  model: string;
  /** Voice of flows that name none. */
  voice: string;
}

/** HTTP request format of a TTS provider. */
export interface HttpTtsProvider {
  name: string;
  label: string;
  /** Longest text of one request. */
  maxCharacters: number;
  voices: RegExp;
  toRequest(text: string, voice: string, options: VoiceOptions): SpeechRequest;
}

/** Valid voice ids where the voice becomes part of the URL. */
export const VOICE_IN_ADDRESS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** Creates the TTS of a provider that answers a request with audio. */
export function createHttpTts(settings: TtsSettings, safeOpen: SafeOpen, provider: HttpTtsProvider): Tts {
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
