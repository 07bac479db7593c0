import { encodeToneBlocks } from "#src/audio/tones/tone-speech.ts";
import type { Tts } from "#src/audio/tts/tts.ts";

/** TTS in tone speech: for the sandbox and for tests, in every language. */
export const toneTts: Tts = {
  name: "TONE",
  async *speak(text, _options, signal) {
    for (const block of encodeToneBlocks(text)) {
      if (signal.aborted) return;
      yield block;
    }
  },
};
