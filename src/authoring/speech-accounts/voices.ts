import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { Voice } from "#src/audio/tts/voices.ts";
import { TTS_NAMES, type TtsName } from "#src/platform/config/speech-settings.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fieldError, toError } from "#src/platform/kernel/errors.ts";
import { getBilling } from "#src/tenancy/usage/balance.ts";
import { sampleSentence } from "./sample-sentences.ts";
import { say, toWav } from "./try-speech.ts";

/** A provider's list is asked for again after this time. */
const FRESH_MS = 600_000;
const SECONDS_PER_MINUTE = 60;

const Fault = nullable(Type.Object({ code: Type.String(), message: Type.String() }));

/** Voices that calls of a workspace can have. */
export const VoiceLibrary = Type.Object(
  {
    providers: Type.Array(
      Type.Object({
        provider: oneOf(TTS_NAMES),
        defaultVoice: nullable(Type.String({ description: "Voice of flows that name none." })),
        voices: Type.Array(
          Type.Object({
            id: Type.String({ description: "As a flow's voiceId." }),
            name: Type.String(),
            languages: Type.Array(Type.String(), { description: "BCP 47; empty where the provider names none." }),
            description: nullable(Type.String()),
          }),
        ),
        error: Fault,
        firstSoundMs: nullable(
          Type.Integer({
            description: "Median time to the first sound of the latest sentences that this server had said.",
          }),
        ),
        sentences: Type.Integer({ description: "How many sentences firstSoundMs is of." }),
      }),
      { description: "In the order in which they are asked: the first speaks, with the flow's voice." },
    ),
    pricePerMinute: Type.String({ description: "Of speech in calls, by the workspace's prices." }),
    currency: Type.String(),
  },
  { $id: "VoiceLibrary" },
);
export type VoiceLibrary = Static<typeof VoiceLibrary>;

/** Body of a request for a voice's sample. */
export const VoiceSampleInput = Type.Object(
  {
    provider: oneOf(TTS_NAMES),
    voiceId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    language: Type.Optional(nullable(Type.String({ minLength: 2, maxLength: 35, description: "BCP 47." }))),
    text: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 300, description: "Default: a sentence in the language." })),
    ),
  },
  { $id: "VoiceSampleInput" },
);

/** A sentence in a voice. */
export const VoiceSample = Type.Object(
  {
    text: Type.String(),
    firstSoundMs: nullable(Type.Integer()),
    durationSeconds: Type.Number(),
    audio: nullable(Type.String({ description: "A WAV file in base64." })),
    error: Fault,
  },
  { $id: "VoiceSample" },
);

type Listed = Pick<VoiceLibrary["providers"][number], "voices" | "error">;

/** Lists of voices by the providers that they were asked of; a list that could not be had is asked for anew. */
const lists = new WeakMap<SpeechProviders, Map<TtsName, { untilMs: number; listed: Promise<Listed> }>>();

/** Lists the voices of the providers that speak in a workspace's calls. */
export async function listVoices(db: Executor, workspaceId: string, providers: SpeechProviders): Promise<VoiceLibrary> {
  const { prices, currency } = await getBilling(db, workspaceId);
  const described = await Promise.all(
    providers.ttsProviders.map(async (provider) => {
      const measured = providers.firstSoundOf(provider);
      return {
        provider,
        defaultVoice: providers.voicesOf(provider)?.defaultVoice ?? null,
        ...(await listOnce(providers, provider)),
        firstSoundMs: measured?.medianMs ?? null,
        sentences: measured?.sentences ?? 0,
      };
    }),
  );
  const pricePerMinute = String(Number((Number(prices.SPEECH_SECOND) * SECONDS_PER_MINUTE).toPrecision(6)));
  return { providers: described, pricePerMinute, currency };
}

function listOnce(providers: SpeechProviders, provider: TtsName): Promise<Listed> {
  const known = lists.get(providers) ?? new Map<TtsName, { untilMs: number; listed: Promise<Listed> }>();
  lists.set(providers, known);
  const kept = known.get(provider);
  if (kept && kept.untilMs > nowMs()) return kept.listed;
  const listed = listNow(providers, provider);
  known.set(provider, { untilMs: nowMs() + FRESH_MS, listed });
  void listed.then(({ error }) => {
    if (error) known.delete(provider);
  });
  return listed;
}

async function listNow(providers: SpeechProviders, provider: TtsName): Promise<Listed> {
  try {
    const voices: Voice[] = (await providers.voicesOf(provider)?.list()) ?? [];
    return { voices, error: null };
  } catch (thrown) {
    const code = thrown instanceof SpeechError ? thrown.code : "FAILED";
    return { voices: [], error: { code, message: toError(thrown).message } };
  }
}

/** Has one provider say a sentence in a voice. Never rejects for the provider's faults. */
export async function sayInVoice(
  providers: SpeechProviders,
  { provider, voiceId = null, language, text }: Static<typeof VoiceSampleInput>,
): Promise<Static<typeof VoiceSample>> {
  if (!providers.ttsProviders.includes(provider)) {
    throw fieldError("provider", "NOT_CONFIGURED", "is none of those that speak in this workspace's calls.");
  }
  const spoken = { language: language ?? "en-US", voiceId };
  const sentence = text ?? sampleSentence(spoken.language);
  const { samples, firstPieceMs, durationSeconds, error } = await say(providers.findTts([provider]), sentence, spoken);
  return { text: sentence, firstSoundMs: firstPieceMs, durationSeconds, audio: toWav(samples), error };
}
