import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { ProcessGate } from "#src/audio/speech-providers/process-gate.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { splitText } from "#src/platform/kernel/split-text.ts";
import type { FliteProgram } from "./flite.ts";

/** Characters of a part, about a sentence: the first is heard while the next is synthesised. */
const PART_CHARACTERS = 160;
/** Voice of flows that name none. */
export const DEFAULT_VOICE = "slt";
const AT_ONCE = 4;
const MAX_WAITING = 64;

/**
 * TTS by the program flite: English voices, a part of the text at a time. Other languages are refused rather than read
 * as English.
 */
export function createFliteTts(flite: FliteProgram): Tts {
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
    // Flite has no words for punctuation alone, and there is nothing to say.
    return !signal.aborted && /[\p{L}\p{N}]/u.test(part) ? await flite.say(part, voice, signal) : new Int16Array(0);
  } catch (error) {
    if (signal.aborted) return new Int16Array(0);
    throw new SpeechError("UNAVAILABLE", "Flite could not say a text.", null, error);
  }
}
