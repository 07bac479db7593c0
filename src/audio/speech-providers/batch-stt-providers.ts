import type { BatchStt, BatchSttName } from "#src/audio/batch-stt/batch-stt.ts";
import type { BatchSttSettings } from "#src/platform/config/config.ts";
import type { SafeFetch, SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createDeepgramBatchStt } from "./deepgram/deepgram-batch-stt.ts";
import { createOpenAiBatchStt } from "./openai-compatible/openai-batch-stt.ts";
import { createToneBatchStt } from "./tone/tone-batch-stt.ts";

/** Limit of one request to a provider, the upload of its audio included: hours of audio take minutes. */
const REQUEST_TIMEOUT_MS = 20 * 60_000;
const FETCH_TIMEOUT_MS = 5 * 60_000;

/** Batch STT providers that this process can use; a job may name only one of these. */
export type BatchSttProviders = ReadonlyMap<BatchSttName, BatchStt>;

/** Configuration that makes a provider usable. */
export const HOW_TO_CONFIGURE: Record<BatchSttName, string> = {
  SANDBOX: "It is always there.",
  OPENAI_COMPATIBLE: "The operator sets OPENAI_API_KEY, or OPENAI_BASE_URL for a server of one's own.",
  DEEPGRAM: "The operator sets DEEPGRAM_API_KEY.",
};

/** Creates the batch STT providers that are configured. */
export function createBatchSttProviders(
  { openAi, deepgram }: BatchSttSettings,
  parts: { safeFetch: SafeFetch; safeOpen: SafeOpen },
): BatchSttProviders {
  const timeoutMs = REQUEST_TIMEOUT_MS;
  const all: BatchStt[] = [createToneBatchStt(parts.safeOpen, FETCH_TIMEOUT_MS)];
  if (openAi) all.push(createOpenAiBatchStt({ ...openAi, timeoutMs }, parts));
  if (deepgram) all.push(createDeepgramBatchStt({ ...deepgram, timeoutMs }, parts.safeFetch));
  return new Map(all.map((batchStt) => [batchStt.name, batchStt]));
}
