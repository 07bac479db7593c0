import { createReadStream } from "node:fs";
import { fileNameOfUrl, nameFormat } from "#src/audio/batch-stt/audio-format.ts";
import type {
  AudioSource,
  Segment,
  TranscribeOptions,
  BatchStt,
  Transcript,
  BatchSttError,
} from "#src/audio/batch-stt/batch-stt.ts";
import { explainFetchFailure, openAudio } from "#src/audio/batch-stt/fetch-audio.ts";
import {
  explainFailure,
  MAX_REPLY_BYTES,
  readItems,
  readProviderReply,
  readSeconds,
  readText,
  toMs,
  unreadable,
} from "#src/audio/batch-stt/provider-reply.ts";
import { recognisedLanguage } from "#src/audio/speech-providers/primary-language.ts";
import type { SafeFetch, SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createMultipartBody, postForm } from "./multipart-body.ts";

const PROVIDER = "The transcription server";

/** A server that speaks OpenAI's protocol: OpenAI itself, or a self-hosted Whisper server. */
export interface OpenAiSettings {
  /** Up to and including /v1. */
  baseUrl: string;
  /** Undefined for servers that require none. */
  apiKey: string | undefined;
  model: string;
  /** For one request from the first byte to the last. */
  timeoutMs: number;
}

/** Batch STT by servers that speak OpenAI's POST /audio/transcriptions. */
export function createOpenAiBatchStt(
  settings: OpenAiSettings,
  { safeFetch, safeOpen }: { safeFetch: SafeFetch; safeOpen: SafeOpen },
): BatchStt {
  return {
    name: "OPENAI_COMPATIBLE",
    async transcribe(source, options, signal) {
      const { timeoutMs } = settings;
      const audio = await openSource(safeOpen, source, timeoutMs, signal);
      const form = createMultipartBody(formFields(settings.model, options), audio);
      try {
        const reply = await safeFetch(`${settings.baseUrl}/audio/transcriptions`, {
          ...postForm(form, settings.apiKey),
          timeoutMs,
          maxResponseBytes: MAX_REPLY_BYTES,
          signal,
        });
        return toTranscript(readProviderReply(PROVIDER, reply), options);
      } catch (error) {
        // A body that breaks off breaks the request too, so the first fault is the true cause.
        throw audio.fault() ?? explainFailure(PROVIDER, error);
      } finally {
        audio.close();
      }
    },
  };
}

interface OpenedSource {
  name: string;
  mediaType: string;
  content: AsyncIterable<Buffer>;
  bytes: number | null;
  fault(): BatchSttError | undefined;
  close(): void;
}

/** Opens the audio. These servers take no URL, so audio behind one is streamed through, and never stored. */
async function openSource(
  safeOpen: SafeOpen,
  source: AudioSource,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OpenedSource> {
  if (!("url" in source)) {
    const content = createReadStream(source.path, { highWaterMark: 256 * 1024 });
    const close = () => void content.destroy();
    content.on("error", () => undefined);
    return {
      ...nameFormat(source.fileName, source.mediaType),
      content,
      bytes: source.bytes,
      fault: () => undefined,
      close,
    };
  }
  const audio = await openAudio(safeOpen, source.url, { timeoutMs, signal });
  let fault: BatchSttError | undefined;
  async function* content(): AsyncGenerator<Buffer> {
    try {
      yield* audio.body;
    } catch (error) {
      fault = explainFetchFailure(error);
      throw error;
    }
  }
  const format = nameFormat(fileNameOfUrl(source.url), audio.mediaType);
  return { ...format, content: content(), bytes: audio.bytes, fault: () => fault, close: () => audio.close() };
}

/** Returns the form's fields. Models differ in their response formats: only Whisper has verbose_json. */
function formFields(model: string, { language }: TranscribeOptions): [string, string][] {
  const fields: [string, string][] = [["model", model]];
  const primary = language === null ? "" : recognisedLanguage(language);
  if (/^[a-z]{2,3}$/.test(primary)) fields.push(["language", primary]);
  if (model.includes("diarize"))
    return [...fields, ["response_format", "diarized_json"], ["chunking_strategy", "auto"]];
  if (model.startsWith("gpt-")) return [...fields, ["response_format", "json"]];
  return [...fields, ["response_format", "verbose_json"], ["timestamp_granularities[]", "segment"]];
}

function toTranscript(body: Record<string, unknown>, { language }: TranscribeOptions): Transcript {
  const text = readText(body.text);
  if (text === null) throw unreadable(PROVIDER);
  const segments = readItems(body.segments).map((item): Segment => ({
    startMs: toMs(item.start),
    endMs: toMs(item.end),
    speaker: readText(item.speaker),
    text: (readText(item.text) ?? "").trim(),
  }));
  const usage = body.usage as { seconds?: unknown } | null | undefined;
  const durationSeconds = readSeconds(body.duration) ?? readSeconds(usage?.seconds);
  return { text: text.trim(), language: readText(body.language) ?? language, durationSeconds, segments, note: null };
}
