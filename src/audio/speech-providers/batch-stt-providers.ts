import type { Transcriber, TranscriberName } from "#src/audio/batch-stt/batch-stt.ts";
import type { TranscriberSettings } from "#src/platform/config/config.ts";
import type { SafeFetch, SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createDeepgramTranscriber } from "./deepgram/deepgram-batch-stt.ts";
import { createOpenAiTranscriber } from "./openai-compatible/openai-batch-stt.ts";
import { createSandboxTranscriber } from "./tone/tone-batch-stt.ts";

/** For one request to a provider, the upload of its audio included: hours of audio take minutes. */
const REQUEST_TIMEOUT_MS = 20 * 60_000;
const FETCH_TIMEOUT_MS = 5 * 60_000;

/** The providers that this process can use; a job may name only one of these. */
export type Transcribers = ReadonlyMap<TranscriberName, Transcriber>;

/** What to set so that a provider can be used. */
export const HOW_TO_CONFIGURE: Record<TranscriberName, string> = {
  SANDBOX: "It is always there.",
  OPENAI_COMPATIBLE: "The operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for a server of one's own.",
  DEEPGRAM: "The operator sets DEEPGRAM_API_KEY.",
};

/** Makes the transcribers that are configured. */
export function createTranscribers(
  { openAi, deepgram }: TranscriberSettings,
  parts: { safeFetch: SafeFetch; safeOpen: SafeOpen },
): Transcribers {
  const timeoutMs = REQUEST_TIMEOUT_MS;
  const all: Transcriber[] = [createSandboxTranscriber(parts.safeOpen, FETCH_TIMEOUT_MS)];
  if (openAi) all.push(createOpenAiTranscriber({ ...openAi, timeoutMs }, parts));
  if (deepgram) all.push(createDeepgramTranscriber({ ...deepgram, timeoutMs }, parts.safeFetch));
  return new Map(all.map((transcriber) => [transcriber.name, transcriber]));
}
