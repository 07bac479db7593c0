import { randomInt } from "node:crypto";
import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { wavHeader } from "#src/audio/codec/wav.ts";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { Stt } from "#src/audio/stt/stt.ts";
import type { Tts, VoiceOptions } from "#src/audio/tts/tts.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { SpeechProvider } from "./store.ts";

const LANGUAGE = "en-US";
const USUAL_VOICE = { language: LANGUAGE, voiceId: null };
const SPEAK_TIMEOUT_MS = 20_000;
const HEAR_TIMEOUT_MS = 15_000;
/** Wait for further words: an STT provider may finalise a sentence in parts. */
const MORE_WORDS_MS = 800;
const PAUSE_SAMPLES = VOICE_RATE_HZ;

const Fault = nullable(Type.Object({ code: Type.String(), message: Type.String() }));

/** Result of a provider's trial; null for what the provider does not do. */
export const SpeechTrial = Type.Object(
  {
    sentence: Type.String(),
    speaks: nullable(
      Type.Object({
        ok: Type.Boolean(),
        firstPieceMs: nullable(Type.Integer({ description: "To the first sound." })),
        durationSeconds: Type.Number({ description: "Of what was said." }),
        audio: nullable(Type.String({ description: "A WAV file in base64." })),
        error: Fault,
      }),
    ),
    hears: nullable(
      Type.Object({
        ok: Type.Boolean(),
        latencyMs: Type.Integer({ description: "From the end of the sentence to its last word." }),
        text: nullable(Type.String({ description: "What was heard." })),
        spokenBy: nullable(Type.String({ description: "Whose voice it heard; null: none could speak." })),
        error: Fault,
      }),
    ),
  },
  { $id: "SpeechTrial" },
);
export type SpeechTrial = Static<typeof SpeechTrial>;

/** Has a provider say one sentence and transcribe it. Never rejects for the provider's faults. */
export async function trySpeech(providers: SpeechProviders, provider: SpeechProvider): Promise<SpeechTrial> {
  // A random number, since an earlier sentence would be served from the cache, and a wrong key would pass.
  const sentence = `Hello, this is a test of the voice. The number is ${randomInt(100_000, 1_000_000)}.`;
  const own = providers.ttsProviders.includes(provider) ? await trySpeaking(providers, provider, sentence) : null;
  const speaks = own && { ...own.speaks };
  if (provider === "ELEVENLABS" || !providers.sttProviders.includes(provider)) return { sentence, speaks, hears: null };
  const voice = own && own.samples.length > 0 ? { by: provider as string, samples: own.samples } : null;
  const heard = voice ?? (await borrowVoice(providers, provider, sentence));
  if (!heard) {
    const error = { code: "NO_VOICE", message: "No voice could say the sentence, so nothing could be heard." };
    return { sentence, speaks, hears: { ok: false, latencyMs: 0, text: null, spokenBy: null, error } };
  }
  const result = await tryHearing(providers.findStt([provider]), heard.samples);
  return { sentence, speaks, hears: { ...result, spokenBy: heard.by } };
}

async function trySpeaking(providers: SpeechProviders, provider: SpeechProvider, sentence: string) {
  const tts = providers.findTts([provider]);
  const { samples, firstPieceMs, durationSeconds, error } = await say(tts, sentence, USUAL_VOICE);
  const speaks = { ok: error === null, firstPieceMs, durationSeconds, audio: toWav(samples), error };
  return { samples, speaks };
}

/** Has the first other voice that can do so say the sentence. */
async function borrowVoice(providers: SpeechProviders, besides: SpeechProvider, sentence: string) {
  const names = providers.ttsProviders.filter((name) => name !== "TONE" && name !== besides);
  if (names.length === 0) return null;
  const { samples, error } = await say(providers.findTts(names), sentence, USUAL_VOICE);
  return error === null && samples.length > 0 ? { by: names[0] as string, samples } : null;
}

/** Says a sentence and measures the time to its first sound. Never rejects for the provider's faults. */
export async function say(tts: Tts, sentence: string, voice: VoiceOptions) {
  const startedMs = performance.now();
  const pieces: Int16Array[] = [];
  let firstPieceMs: number | null = null;
  let error: { code: string; message: string } | null = null;
  const signal = AbortSignal.timeout(SPEAK_TIMEOUT_MS);
  try {
    for await (const piece of tts.speak(sentence, voice, signal)) {
      firstPieceMs ??= Math.round(performance.now() - startedMs);
      pieces.push(piece.slice());
    }
    if (signal.aborted) error = { code: "TIMEOUT", message: `It said nothing for ${SPEAK_TIMEOUT_MS / 1_000} s.` };
    else if (pieces.length === 0) error = { code: "SILENT", message: "It answered without a sound." };
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    error = { code: typeof code === "string" ? code : "FAILED", message: toError(thrown).message };
  }
  const samples = join(pieces);
  return { samples, firstPieceMs, durationSeconds: samples.length / VOICE_RATE_HZ, error };
}

function tryHearing(stt: Stt, samples: Int16Array) {
  const { promise, resolve } = Promise.withResolvers<{ error: { code: string; message: string } | null }>();
  const words: string[] = [];
  let lastWordMs = 0;
  let quiet: NodeJS.Timeout | undefined;
  const stream = stt.open({
    language: LANGUAGE,
    hints: [],
    expected: null,
    onEvent(event) {
      if (event.kind === "FAILED") return resolve({ error: { code: event.code, message: event.message } });
      if (event.kind !== "FINAL" || event.text.trim() === "") return;
      words.push(event.text.trim());
      lastWordMs = performance.now();
      clearTimeout(quiet);
      quiet = setTimeout(() => resolve({ error: null }), MORE_WORDS_MS);
    },
  });
  const message = `It heard no word in ${HEAR_TIMEOUT_MS / 1_000} s.`;
  const late = setTimeout(() => resolve({ error: { code: "TIMEOUT", message } }), HEAR_TIMEOUT_MS);
  write(stream, samples);
  write(stream, new Int16Array(PAUSE_SAMPLES));
  const saidMs = performance.now();
  stream.flush();
  return promise
    .then(({ error }) => ({
      ok: error === null,
      latencyMs: Math.max(0, Math.round((lastWordMs || performance.now()) - saidMs)),
      text: words.length > 0 ? words.join(" ") : null,
      error,
    }))
    .finally(() => {
      clearTimeout(quiet);
      clearTimeout(late);
      stream.close();
    });
}

function write(stream: { write(samples: Int16Array): void }, samples: Int16Array): void {
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) stream.write(samples.slice(at, at + FRAME_SAMPLES));
}

function join(pieces: Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Returns sound as a WAV file in base64; null without any. */
export function toWav(samples: Int16Array): string | null {
  if (samples.length === 0) return null;
  const body = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const header = wavHeader({ sampleRateHz: VOICE_RATE_HZ, channels: 1, dataBytes: body.byteLength });
  return Buffer.concat([header, body]).toString("base64");
}
