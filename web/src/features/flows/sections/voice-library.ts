import { t } from "#web/i18n/t.ts";

/** Voices of the providers that speak in calls, in their order. */
export interface VoiceLibrary {
  providers: VoiceProvider[];
  pricePerMinute: string;
  currency: string;
}

/** A provider with its voices. */
export interface VoiceProvider {
  provider: string;
  defaultVoice: string | null;
  voices: Voice[];
  error: { code: string; message: string } | null;
  /** Median of the latest sentences; null before the first. */
  firstSoundMs: number | null;
  sentences: number;
}

/** A voice that a flow can name. */
export interface Voice {
  id: string;
  name: string;
  languages: string[];
  description: string | null;
}

/** A sentence that was said in a voice. */
export interface VoiceSample {
  text: string;
  firstSoundMs: number | null;
  durationSeconds: number;
  audio: string | null;
  error: { code: string; message: string } | null;
}

/** API path of the voices. */
export const VOICES_PATH = "/voices";

const NAMES: Record<string, string> = {
  DEEPGRAM: "Deepgram",
  ELEVENLABS: "ElevenLabs",
  OPENAI_COMPATIBLE: t`OpenAI, or a server like it`,
  FLITE: t`Flite, on this server`,
  TONE: t`Tones of the sandbox`,
};

/** Name of a provider. */
export function nameProvider(provider: string): string {
  return NAMES[provider] ?? provider;
}

/** Name of the voice that a flow has; its id when no list has it. */
export function nameVoice({ providers }: Pick<VoiceLibrary, "providers">, voiceId: string): string {
  const [first] = providers;
  const id = voiceId === "" ? first?.defaultVoice : voiceId;
  if (!id) return t`The provider's default`;
  const name = first?.voices.find((voice) => voice.id === id)?.name ?? id;
  return voiceId === "" ? t`${name} (the default)` : name;
}

/** Returns the voices whose name, id or description has every word. */
export function searchVoices(voices: readonly Voice[], words: string): Voice[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return voices.filter(({ id, name, description }) => {
    const text = `${name} ${id} ${description ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
