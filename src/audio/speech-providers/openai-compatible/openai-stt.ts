import { buffer } from "node:stream/consumers";
import { cleanText } from "#src/audio/batch-stt/provider-reply.ts";
import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { wavHeader } from "#src/audio/codec/wav.ts";
import { explainStatus, SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { recognisedLanguage } from "#src/audio/speech-providers/primary-language.ts";
import type { Stt, SpeechStreamOptions } from "#src/audio/stt/stt.ts";
import { UtteranceStream } from "#src/audio/stt/utterance-stream.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { createMultipartBody, postForm } from "./multipart-body.ts";

const PROVIDER = "The transcription server";
const MAX_REPLY_BYTES = 1024 * 1024;
const TIMEOUT_MS = 8_000;
/** Whisper reads the last 224 tokens of a prompt. */
const MAX_PROMPT_CHARACTERS = 500;

/** OpenAI, or a self-hosted server that speaks its POST /audio/transcriptions. */
export interface OpenAiSttSettings {
  /** Up to and including /v1. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  /** For one utterance. */
  timeoutMs?: number;
}

/** STT by OpenAI's protocol: one utterance at a time, as a WAV file. */
export function createOpenAiStt(settings: OpenAiSttSettings, safeFetch: SafeFetch): Stt {
  return {
    name: "OPENAI_COMPATIBLE",
    open(options) {
      const hear = (samples: Int16Array, signal: AbortSignal) => ask(settings, safeFetch, options, samples, signal);
      return new UtteranceStream({ name: PROVIDER, hear }, (event) => options.onEvent(event));
    },
  };
}

async function ask(
  settings: OpenAiSttSettings,
  safeFetch: SafeFetch,
  options: SpeechStreamOptions,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<{ text: string; confidence: null }> {
  const wav = toWav(samples);
  const form = createMultipartBody(formFields(settings.model, options), {
    name: "speech.wav",
    mediaType: "audio/wav",
    content: toAsync(wav),
    bytes: wav.length,
  });
  const reply = await safeFetch(`${settings.baseUrl}/audio/transcriptions`, {
    ...postForm(form, settings.apiKey),
    // As a whole, because a stream could not be sent again.
    body: await buffer(form.body),
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    maxResponseBytes: MAX_REPLY_BYTES,
    signal,
  });
  if (reply.status !== 200) throw explainStatus(PROVIDER, reply.status, reply.headers);
  return { text: readText(reply.body), confidence: null };
}

function formFields(model: string, { language, hints }: SpeechStreamOptions): [string, string][] {
  const fields: [string, string][] = [
    ["model", model],
    ["response_format", "json"],
    ["temperature", "0"],
  ];
  const primary = recognisedLanguage(language);
  if (/^[a-z]{2,3}$/.test(primary)) fields.push(["language", primary]);
  const prompt = hints.join(", ").toWellFormed().replaceAll(/\s+/g, " ").slice(0, MAX_PROMPT_CHARACTERS);
  if (prompt.trim()) fields.push(["prompt", prompt]);
  return fields;
}

function toWav(samples: Int16Array): Buffer {
  const dataBytes = samples.length * 2;
  const header = wavHeader({ channels: 1, sampleRateHz: VOICE_RATE_HZ, dataBytes });
  const file = Buffer.alloc(header.length + dataBytes);
  file.set(header);
  for (let i = 0; i < samples.length; i++) file.writeInt16LE(samples[i] as number, header.length + i * 2);
  return file;
}

async function* toAsync(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function readText(body: Buffer): string {
  try {
    const { text } = JSON.parse(body.toString()) as { text?: unknown };
    if (typeof text === "string") return cleanText(text).trim();
  } catch {
    // Said below: whatever it is, it is no transcript.
  }
  throw new SpeechError("UNREADABLE", `The answer of ${PROVIDER.toLowerCase()} could not be read.`);
}
