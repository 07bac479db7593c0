import { t } from "#web/i18n/t.ts";

/** Speech provider, named by its protocol. */
export type SpeechProvider = "DEEPGRAM" | "ELEVENLABS" | "OPENAI_COMPATIBLE";

/** Account with a speech provider: its use for STT and TTS, and its owner. */
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

/** All accounts, and the providers used in calls. */
export interface SpeechAccounts {
  accounts: SpeechAccount[];
  sttProviders: string[];
  ttsProviders: string[];
}

type Fault = { code: string; message: string } | null;

/** Result of a provider's test. */
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

/** API path of the speech accounts. */
export const SPEECH_PATH = "/speech-accounts";

/** Labels of the speech providers, and the settings of each. */
export const SPEECH_PROVIDERS: Record<
  SpeechProvider,
  { name: string; does: string; url: string; voice: string; hearing: string | null; speaking: string | null }
> = {
  DEEPGRAM: {
    name: "Deepgram",
    does: t`Streaming transcription and voice.`,
    url: "https://api.deepgram.com",
    voice: "aura-2-thalia-en",
    hearing: "nova-3",
    speaking: null,
  },
  ELEVENLABS: {
    name: "ElevenLabs",
    does: t`Voice.`,
    url: "https://api.elevenlabs.io",
    voice: "21m00Tcm4TlvDq8ikWAM",
    hearing: null,
    speaking: "eleven_flash_v2_5",
  },
  OPENAI_COMPATIBLE: {
    name: t`OpenAI, or a server that speaks like it`,
    does: t`Transcription a sentence at a time, and voice.`,
    url: "https://api.openai.com/v1",
    voice: "alloy",
    hearing: "whisper-1",
    speaking: "gpt-4o-mini-tts",
  },
};
