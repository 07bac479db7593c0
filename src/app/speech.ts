import {
  findSpeechPrograms,
  joinSpeechProviders,
  type SpeechParts,
  type SpeechProviders,
} from "#src/audio/speech-providers/speech-providers.ts";
import { PhraseCache } from "#src/audio/tts/phrase-cache.ts";
import { HoldSounds } from "#src/audio/voice/hold-sounds.ts";
import { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { MediaHost } from "#src/audio/worker/media-host.ts";
import { WorkspaceSpeech } from "#src/authoring/speech-accounts/workspace-speech.ts";
import type { Config } from "#src/platform/config/config.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeOpen, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";

/**
 * Speech providers of calls: those of the operator's settings, and for each workspace those of its own accounts too.
 */
export interface OpenedSpeech {
  speechProviders: SpeechProviders;
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
}

/** Opens the speech providers that this process can use in calls. */
export async function openSpeechProviders(
  { speech: settings }: Config,
  {
    guard,
    safeFetch,
    log,
    db,
    box,
  }: { guard: OutboundGuard; safeFetch: SafeFetch; log: Log; db: Executor; box: SecretBox },
): Promise<OpenedSpeech> {
  const programs = await findSpeechPrograms(process.env.PATH ?? "");
  const [safeOpen, openSocket] = [createSafeOpen(guard), createOpenSocket(guard)];
  const parts: SpeechParts = { safeFetch, safeOpen, openSocket, log };
  const cache = new PhraseCache(settings.phraseCacheBytes);
  const server = joinSpeechProviders(settings, parts, programs, (one) => cache.wrap(one));
  const ofWorkspaces = new WorkspaceSpeech({
    db,
    box,
    log,
    settings,
    server,
    make: (own, scope) => joinSpeechProviders(own, parts, programs, (one) => cache.wrap(one, scope)),
  });
  return { speechProviders: server, speechOf: (workspaceId) => ofWorkspaces.of(workspaceId) };
}

/** Creates the calls whose audio goes through the media thread of the process. */
export function openVoice(
  host: MediaHost,
  { speechProviders: providers, speechOf: ofWorkspace }: OpenedSpeech,
  { safeFetch, log }: { safeFetch: SafeFetch; log: Log },
): VoiceCalls {
  return new VoiceCalls({ host, providers, ofWorkspace, holdSounds: new HoldSounds({ safeFetch, log }), log });
}

/** Describes the speech providers for `parley doctor`; throws when one that the operator lists is missing. */
export function describeSpeech({ sttProviders, ttsProviders, missing }: SpeechProviders): string {
  if (missing.length > 0) throw new Error(missing.join(" "));
  const say = (names: string[]) => (names.length > 0 ? names.join(", then ") : "none, so only the sandbox's tones");
  return `speech to text: ${say(sttProviders)}; text to speech: ${say(ttsProviders)}`;
}
