import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { explainSpeechFailure, explainStatus, SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import type { OutboundStream, SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { type AudioEncoding, createSampleReader } from "./sample-reader.ts";

/** Limit of one request from the first byte to the last, the listener's own pace included. */
const REQUEST_TIMEOUT_MS = 600_000;
/** Most samples of a reply: a provider that sends more is not saying the text. */
const MAX_SAMPLES = 900 * VOICE_RATE_HZ;

/** A request whose answer is raw audio. */
export interface SpeechRequest {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Encoding of the answer's bytes. */
  encoding: AudioEncoding;
}

/**
 * Sends a request and yields the audio as it arrives: samples at 8 kHz. Throws a SpeechError; ends early when the
 * signal aborts. Always closes the request.
 */
export async function* speakOverHttp(
  provider: string,
  safeOpen: SafeOpen,
  request: SpeechRequest,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void> {
  try {
    const reply = await safeOpen(request.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...request.headers },
      body: JSON.stringify(request.body),
      timeoutMs: REQUEST_TIMEOUT_MS,
      signal,
    });
    yield* readSound(provider, reply, request.encoding);
  } catch (error) {
    if (!signal.aborted) throw explainSpeechFailure(provider, error);
  }
}

async function* readSound(
  provider: string,
  reply: OutboundStream,
  encoding: AudioEncoding,
): AsyncGenerator<Int16Array, void> {
  try {
    if (reply.status !== 200) throw explainStatus(provider, reply.status, reply.headers);
    if (/json|text\/|html|xml/.test(reply.headers["content-type"] ?? "")) {
      throw new SpeechError("UNREADABLE", `${provider} answered with text instead of sound.`);
    }
    const reader = createSampleReader(provider, encoding);
    let count = 0;
    for await (const bytes of reply.body) {
      const samples = reader.push(bytes);
      count += samples.length;
      if (count > MAX_SAMPLES) throw new SpeechError("UNREADABLE", `${provider} sent sound without end.`);
      if (samples.length > 0) yield samples;
    }
    const rest = reader.end();
    if (rest.length > 0) yield rest;
    if (count + rest.length === 0) throw new SpeechError("UNREADABLE", `${provider} sent no sound.`);
  } finally {
    reply.close();
  }
}
