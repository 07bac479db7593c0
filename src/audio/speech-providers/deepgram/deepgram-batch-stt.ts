import { createReadStream } from "node:fs";
import { nameFormat } from "#src/audio/batch-stt/audio-format.ts";
import type { AudioSource, Segment, TranscribeOptions, BatchStt, Transcript } from "#src/audio/batch-stt/batch-stt.ts";
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
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { toDeepgramLanguage } from "./deepgram-language.ts";

const PROVIDER = "Deepgram";

/** Deepgram, in its cloud or self-hosted. */
export interface DeepgramSettings {
  /** Origin, without /v1. */
  baseUrl: string;
  apiKey: string;
  model: string;
  /** For one request from the first byte to the last. */
  timeoutMs: number;
}

/** Batch STT by Deepgram's POST /v1/listen for recorded audio. A URL is passed on exactly as it was sent. */
export function createDeepgramBatchStt(settings: DeepgramSettings, safeFetch: SafeFetch): BatchStt {
  return {
    name: "DEEPGRAM",
    async transcribe(source, options, signal) {
      const { body, close, ...sent } = toBody(source);
      try {
        const reply = await safeFetch(`${settings.baseUrl}/v1/listen?${toQuery(settings.model, options)}`, {
          method: "POST",
          headers: {
            authorization: `Token ${settings.apiKey}`,
            "content-type": sent.mediaType,
            accept: "application/json",
          },
          body,
          ...("url" in source ? {} : { bodyBytes: source.bytes }),
          timeoutMs: settings.timeoutMs,
          maxResponseBytes: MAX_REPLY_BYTES,
          signal,
        });
        return toTranscript(readProviderReply(PROVIDER, reply), options);
      } catch (error) {
        throw explainFailure(PROVIDER, error);
      } finally {
        close();
      }
    },
  };
}

function toBody(source: AudioSource) {
  if ("url" in source) {
    return { body: JSON.stringify({ url: source.url }), mediaType: "application/json", close: () => undefined };
  }
  const body = createReadStream(source.path, { highWaterMark: 256 * 1024 });
  body.on("error", () => undefined);
  const { mediaType } = nameFormat(source.fileName, source.mediaType);
  return { body, mediaType, close: () => void body.destroy() };
}

function toQuery(model: string, { language }: TranscribeOptions): string {
  const query = new URLSearchParams({
    model,
    smart_format: "true",
    punctuate: "true",
    paragraphs: "true",
    utterances: "true",
    diarize_model: "latest",
    ...(language === null ? { detect_language: "true" } : { language: toDeepgramLanguage(language) }),
  });
  return query.toString();
}

function toTranscript(body: Record<string, unknown>, options: TranscribeOptions): Transcript {
  const results = body.results as { channels?: unknown; utterances?: unknown } | null | undefined;
  const channels = readItems(results?.channels);
  if (channels.length === 0) throw unreadable(PROVIDER);
  const best = channels.map((channel) => readItems(channel.alternatives)[0] ?? {});
  const texts = best.map((alternative) => readText(alternative.transcript)).filter((text) => text !== null);
  const metadata = body.metadata as { duration?: unknown } | null | undefined;
  const utterances = readItems(results?.utterances).map(toSegment);
  return {
    text: texts.join("\n").trim(),
    language: readText(channels[0]?.detected_language) ?? options.language,
    durationSeconds: readSeconds(metadata?.duration),
    segments: utterances.length > 0 ? utterances : best.flatMap(readSentences),
    note: null,
  };
}

function toSegment(item: Record<string, unknown>): Segment {
  const speaker = Number.isInteger(item.speaker) ? `SPEAKER_${String(item.speaker)}` : null;
  const text = readText(item.transcript) ?? readText(item.text) ?? "";
  return { startMs: toMs(item.start), endMs: toMs(item.end), speaker, text };
}

/** Returns the sentences of the paragraphs, for replies without utterances; a paragraph has one speaker. */
function readSentences(alternative: Record<string, unknown>): Segment[] {
  const { paragraphs } = (alternative.paragraphs ?? {}) as { paragraphs?: unknown };
  return readItems(paragraphs).flatMap((paragraph) =>
    readItems(paragraph.sentences).map((sentence) => toSegment({ ...sentence, speaker: paragraph.speaker })),
  );
}
