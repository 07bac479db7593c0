import { type AudioSource, type BatchStt, BatchSttError, type Transcript } from "#src/audio/batch-stt/batch-stt.ts";
import { explainFetchFailure, openAudio } from "#src/audio/batch-stt/fetch-audio.ts";
import { cleanText } from "#src/audio/batch-stt/provider-reply.ts";
import type { SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { runOffThread } from "#src/platform/kernel/off-thread.ts";
import type { Heard } from "./tone-listener.ts";

/** 35 minutes of the service's own recordings. */
const MAX_BYTES = 64 * 1024 * 1024;
const LIMITS = { timeoutMs: 60_000, maxHeapMb: 256 };
const WORKER = new URL("./tone-worker.ts", import.meta.url);
const NOTHING_HEARD =
  "No tone speech was heard. The sandbox understands tone speech alone, as in recordings of sandbox calls.";

/**
 * Batch STT that needs no account: decodes tone speech in WAV files. A URL is fetched through the guard. Real speech
 * gives an empty transcript with a note; a file that is no WAV is a PERMANENT failure.
 */
export function createToneBatchStt(open: SafeOpen, fetchTimeoutMs: number): BatchStt {
  return {
    name: "SANDBOX",
    async transcribe(source, { language }, signal) {
      const input = await readSource(open, source, fetchTimeoutMs, signal);
      const { durationSeconds, segments: heard } = await listen(input, signal);
      const segments = heard.map((segment) => ({ ...segment, text: cleanText(segment.text) }));
      const text = segments.map((segment) => segment.text).join("\n");
      const note = segments.length === 0 ? NOTHING_HEARD : null;
      return { text, language, durationSeconds, segments, note } satisfies Transcript;
    },
  };
}

async function readSource(open: SafeOpen, source: AudioSource, timeoutMs: number, signal: AbortSignal) {
  if ("url" in source) return { bytes: await fetchBytes(open, source.url, timeoutMs, signal) };
  if (source.bytes > MAX_BYTES) throw tooLarge();
  return { path: source.path };
}

async function fetchBytes(open: SafeOpen, url: string, timeoutMs: number, signal: AbortSignal): Promise<Uint8Array> {
  const audio = await openAudio(open, url, { timeoutMs, signal });
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of audio.body) {
      size += piece.length;
      if (size > MAX_BYTES) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    throw explainFetchFailure(error);
  }
  return Buffer.concat(pieces);
}

function tooLarge(): BatchSttError {
  return new BatchSttError("PERMANENT", `The sandbox reads at most ${MAX_BYTES} bytes of audio.`);
}

async function listen(input: { path: string } | { bytes: Uint8Array }, signal: AbortSignal): Promise<Heard> {
  try {
    return (await runOffThread(WORKER, input, LIMITS, signal)) as Heard;
  } catch (error) {
    if (signal.aborted) throw new BatchSttError("TRANSIENT", "The transcription was interrupted.", null, error);
    throw new BatchSttError("PERMANENT", `The audio could not be read: ${toError(error).message}`, null, error);
  }
}
