import type { Config } from "#src/config/config.ts";
import type { OutboundGuard } from "#src/http/outbound-guard.ts";
import { createSafeOpen, type SafeFetch } from "#src/http/safe-fetch.ts";
import { createTranscribers, type Transcribers } from "#src/transcribers/configured.ts";

/** The transcription providers that this process can use. */
export function openTranscribers(
  { transcribers }: Config,
  { guard, safeFetch }: { guard: OutboundGuard; safeFetch: SafeFetch },
): Transcribers {
  return createTranscribers(transcribers, { safeFetch, safeOpen: createSafeOpen(guard) });
}
