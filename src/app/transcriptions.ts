import { createBatchSttProviders, type BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { Config } from "#src/platform/config/config.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeOpen, type SafeFetch } from "#src/platform/http/safe-fetch.ts";

/** Opens the transcription providers that this process can use. */
export function openBatchStt(
  { batchSttProviders }: Config,
  { guard, safeFetch }: { guard: OutboundGuard; safeFetch: SafeFetch },
): BatchSttProviders {
  return createBatchSttProviders(batchSttProviders, { safeFetch, safeOpen: createSafeOpen(guard) });
}
