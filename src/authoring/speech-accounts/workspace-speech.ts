import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import { SPEECH_DEFAULTS, type SpeechSettings } from "#src/platform/config/speech-settings.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { type OpenAccount, readSpeechAccounts } from "./speech-accounts.ts";

/** Workspaces whose providers are cached. */
const MAX_KEPT = 200;

/** Dependencies for the providers of workspaces. */
export interface WorkspaceSpeechParts {
  db: Executor;
  box: SecretBox;
  log: Log;
  /** Settings of the operator, and the providers made from them. */
  settings: SpeechSettings;
  server: SpeechProviders;
  /** Makes providers; `scope` separates their cached speech from that of others. */
  make: (settings: SpeechSettings, scope: string) => SpeechProviders;
}

/** STT and TTS providers for the calls of each workspace: its own accounts before the server's. */
export class WorkspaceSpeech {
  readonly #parts: WorkspaceSpeechParts;
  readonly #kept = new Map<string, { version: string; providers: SpeechProviders }>();

  constructor(parts: WorkspaceSpeechParts) {
    this.#parts = parts;
  }

  /**
   * Returns a workspace's providers. Never rejects: while the database is unavailable, the last known ones are used.
   */
  async of(workspaceId: string): Promise<SpeechProviders> {
    const { db, box, log, server } = this.#parts;
    const known = this.#kept.get(workspaceId);
    try {
      const { version, open } = await readSpeechAccounts(db, box, workspaceId);
      if (version === "") {
        this.#kept.delete(workspaceId);
        return server;
      }
      const providers = known?.version === version ? known.providers : this.#make(workspaceId, version, open());
      this.#keep(workspaceId, version, providers);
      return providers;
    } catch (error) {
      log.warn("The speech accounts of a workspace could not be read.", { workspaceId, error: toError(error).message });
      return known?.providers ?? server;
    }
  }

  #make(workspaceId: string, version: string, accounts: OpenAccount[]): SpeechProviders {
    const { settings, server, make } = this.#parts;
    return make(withAccounts(settings, server, accounts), `${workspaceId} ${version}`);
  }

  #keep(workspaceId: string, version: string, providers: SpeechProviders): void {
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, { version, providers });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Returns the server's settings with a workspace's accounts in place of the server's; they are asked first. */
export function withAccounts(
  settings: SpeechSettings,
  server: Pick<SpeechProviders, "sttProviders" | "ttsProviders">,
  accounts: OpenAccount[],
): SpeechSettings {
  const find = (provider: OpenAccount["provider"]) => accounts.find((one) => one.provider === provider);
  const [deepgram, elevenLabs, openAi] = [find("DEEPGRAM"), find("ELEVENLABS"), find("OPENAI_COMPATIBLE")];
  const isOwn = (name: string) => accounts.some(({ provider }) => provider === name);
  const hearing = accounts.filter(({ hears, provider }) => hears && provider !== "ELEVENLABS");
  const speaking = accounts.filter(({ speaks }) => speaks);
  return {
    ...settings,
    ...(deepgram ? { deepgram: toDeepgram(deepgram) } : {}),
    ...(elevenLabs ? { elevenLabs: toElevenLabs(elevenLabs) } : {}),
    ...(openAi ? { openAi: toOpenAi(openAi) } : {}),
    sttProviders: [
      ...hearing.map(({ provider }) => provider as Exclude<typeof provider, "ELEVENLABS">),
      ...server.sttProviders.filter((name) => !isOwn(name)),
    ],
    ttsProviders: [
      ...ORDER.filter((name) => speaking.some(({ provider }) => provider === name)),
      ...server.ttsProviders.filter((name) => !isOwn(name)),
    ],
  };
}

/** Order of TTS providers where there are several, the same as without stored accounts. */
const ORDER = ["ELEVENLABS", "DEEPGRAM", "OPENAI_COMPATIBLE"] as const;

function toDeepgram({ base_url: baseUrl, apiKey, transcription_model: model, voice }: OpenAccount) {
  const usual = SPEECH_DEFAULTS.deepgram;
  return {
    baseUrl: baseUrl ?? usual.baseUrl,
    apiKey: apiKey ?? "",
    model: model ?? usual.model,
    voice: voice ?? usual.voice,
  };
}

function toElevenLabs({ base_url: baseUrl, apiKey, speech_model: model, voice }: OpenAccount) {
  const usual = SPEECH_DEFAULTS.elevenLabs;
  return {
    baseUrl: baseUrl ?? usual.baseUrl,
    apiKey: apiKey ?? "",
    model: model ?? usual.model,
    voice: voice ?? usual.voice,
  };
}

function toOpenAi(account: OpenAccount) {
  const usual = SPEECH_DEFAULTS.openAi;
  return {
    baseUrl: account.base_url ?? usual.baseUrl,
    apiKey: account.apiKey,
    transcriptionModel: account.transcription_model ?? usual.transcriptionModel,
    speechModel: account.speech_model ?? usual.speechModel,
    voice: account.voice ?? usual.voice,
  };
}
