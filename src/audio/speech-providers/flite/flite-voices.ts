import type { VoiceSource } from "#src/audio/tts/voices.ts";
import { DEFAULT_VOICE } from "./flite-tts.ts";
import type { FliteProgram } from "./flite.ts";

/** Voices of the program flite, all of them English. */
export function createFliteVoices({ voices }: FliteProgram): VoiceSource {
  const names = [...voices].filter((name) => /^[a-z][a-z0-9_]*$/.test(name)).toSorted();
  return {
    defaultVoice: DEFAULT_VOICE,
    list: async () => names.map((id) => ({ id, name: id, languages: ["en"], description: "on this server" })),
  };
}
