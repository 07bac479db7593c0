import { createBatchSttProviders, type BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { Config } from "#src/platform/config/config.ts";
import { createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import type { Core } from "./core.ts";

/** Opens the transcription providers that this process can use. */
export function openBatchStt({ batchSttProviders }: Config, { guard, safeFetch }: Core): BatchSttProviders {
  return createBatchSttProviders(batchSttProviders, { safeFetch, safeOpen: createSafeOpen(guard) });
}
