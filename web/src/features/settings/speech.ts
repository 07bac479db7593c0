/** Whose protocol a provider of speech has. */
export type SpeechProvider = "DEEPGRAM" | "ELEVENLABS" | "OPENAI_COMPATIBLE";

/** Who hears or speaks by an account, and whose the account is. */
export interface SpeechAccount {
  provider: SpeechProvider;
  source: "WORKSPACE" | "SERVER" | "NONE";
  baseUrl: string | null;
  /** A mask when a key is stored; the key itself is never shown. */
  apiKey: string | null;
  hears: boolean;
  speaks: boolean;
  transcriptionModel: string | null;
  speechModel: string | null;
  voice: string | null;
  updatedAt: string | null;
}

/** All of them, and who is asked in calls. */
export interface SpeechAccounts {
  accounts: SpeechAccount[];
  sttProviders: string[];
  ttsProviders: string[];
}

type Fault = { code: string; message: string } | null;

/** What a trial of a provider showed. */
export interface SpeechTrial {
  sentence: string;
  speaks: {
    ok: boolean;
    firstPieceMs: number | null;
    durationSeconds: number;
    audio: string | null;
    error: Fault;
  } | null;
  hears: { ok: boolean; latencyMs: number; text: string | null; spokenBy: string | null; error: Fault } | null;
}

/** Where the accounts are read and changed. */
export const SPEECH_PATH = "/speech-accounts";

/** The providers as people call them, and what can be set of each. */
export const SPEECH_PROVIDERS: Record<
  SpeechProvider,
  { name: string; does: string; url: string; voice: string; hearing: string | null; speaking: string | null }
> = {
  DEEPGRAM: {
    name: "Deepgram",
    does: "Hears as people speak, and speaks.",
    url: "https://api.deepgram.com",
    voice: "aura-2-thalia-en",
    hearing: "nova-3",
    speaking: null,
  },
  ELEVENLABS: {
    name: "ElevenLabs",
    does: "Speaks.",
    url: "https://api.elevenlabs.io",
    voice: "21m00Tcm4TlvDq8ikWAM",
    hearing: null,
    speaking: "eleven_flash_v2_5",
  },
  OPENAI_COMPATIBLE: {
    name: "OpenAI, or a server that speaks like it",
    does: "Hears a sentence at a time, and speaks.",
    url: "https://api.openai.com/v1",
    voice: "alloy",
    hearing: "whisper-1",
    speaking: "gpt-4o-mini-tts",
  },
};
