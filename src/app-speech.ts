import type { Config } from "#src/config/config.ts";
import type { OutboundGuard } from "#src/http/outbound-guard.ts";
import { createSafeOpen, type SafeFetch } from "#src/http/safe-fetch.ts";
import { createOpenSocket } from "#src/http/safe-socket.ts";
import type { Log } from "#src/kernel/log.ts";
import { createSpeechProviders, type SpeechProviders } from "#src/voice/speech/configured.ts";

/** The providers of speech in calls that this process can use. */
export async function openSpeechProviders(
  { speech }: Config,
  { guard, safeFetch, log }: { guard: OutboundGuard; safeFetch: SafeFetch; log: Log },
): Promise<SpeechProviders> {
  const searchPath = process.env.PATH ?? "";
  const [safeOpen, openSocket] = [createSafeOpen(guard), createOpenSocket(guard)];
  return await createSpeechProviders(speech, { safeFetch, safeOpen, openSocket, log, searchPath });
}

/** What `parley doctor` says of them; throws for one that the operator lists and that is not there. */
export function describeSpeech({ recognisers, synthesisers, missing }: SpeechProviders): string {
  if (missing.length > 0) throw new Error(missing.join(" "));
  const say = (names: string[]) => (names.length > 0 ? names.join(", then ") : "none, so only the sandbox's tones");
  return `speech to text: ${say(recognisers)}; text to speech: ${say(synthesisers)}`;
}
