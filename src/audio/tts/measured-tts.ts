import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { measurePieces, type OnProviderRequest } from "#src/platform/kernel/provider-request.ts";
import type { Tts } from "./tts.ts";

/** Wraps a TTS so that `onRequest` gets each request to it, with the time to its first sound. */
export function measureTts(tts: Tts, provider: string, onRequest: OnProviderRequest): Tts {
  return {
    name: tts.name,
    speak: (text, options, signal) =>
      measurePieces(tts.speak(text, options, signal), isSound, text.trim() === "" ? "OK" : "UNREADABLE", {
        signal,
        codeOf: (thrown) => (thrown instanceof SpeechError ? thrown.code : undefined),
        report: (result, firstMs) => onRequest({ kind: "TTS", provider, result, firstMs }),
      }),
  };
}

const isSound = (piece: Int16Array): boolean => piece.length > 0;
