import type { FliteProgram } from "#src/media/flite.ts";
import { encodeToneBlocks } from "#src/media/tone-speech.ts";
import type { Synthesiser } from "#src/voice/speech-ports.ts";
import { ProcessGate } from "./process-gate.ts";
import { SpeechError } from "./speech-error.ts";
import { splitText } from "./split-text.ts";

/** About a sentence: the first is heard while the next is being made. */
const PART_CHARACTERS = 160;
const DEFAULT_VOICE = "slt";
const AT_ONCE = 4;
const MAX_WAITING = 64;

/**
 * The program flite: English voices, a part of the text at a time. Other languages are refused rather than read as
 * English.
 */
export function createFliteSynthesiser(flite: FliteProgram): Synthesiser {
  const gate = new ProcessGate(AT_ONCE, MAX_WAITING);
  return {
    name: "FLITE",
    async *speak(text, { language, voiceId }, signal) {
      const voice = voiceId ?? DEFAULT_VOICE;
      if (!/^en\b/i.test(language)) throw new SpeechError("UNSUPPORTED", "Flite speaks English only.");
      if (!flite.voices.has(voice)) throw new SpeechError("UNSUPPORTED", "Flite has no voice of this id.");
      for (const part of splitText(text, PART_CHARACTERS)) {
        const samples = await gate.run(() => sayPart(flite, part, voice, signal));
        if (signal.aborted) return;
        yield samples;
      }
    },
  };
}

async function sayPart(flite: FliteProgram, part: string, voice: string, signal: AbortSignal): Promise<Int16Array> {
  try {
    // Flite has no words for signs alone, and there is nothing to say.
    return !signal.aborted && /[\p{L}\p{N}]/u.test(part) ? await flite.say(part, voice, signal) : new Int16Array(0);
  } catch (error) {
    if (signal.aborted) return new Int16Array(0);
    throw new SpeechError("UNAVAILABLE", "Flite could not say a text.", null, error);
  }
}

/** Tone speech: for the sandbox and for tests, in every language. */
export const toneSynthesiser: Synthesiser = {
  name: "TONE",
  async *speak(text, _options, signal) {
    for (const block of encodeToneBlocks(text)) {
      if (signal.aborted) return;
      yield block;
    }
  },
};
