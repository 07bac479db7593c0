import { type SpeechEngine, toneEngine } from "#src/audio/recording/speech-engine.ts";
import { createFliteEngine } from "#src/audio/speech-providers/flite/flite.ts";
import type { SpeechPrograms } from "#src/audio/speech-providers/speech-programs.ts";
import {
  joinSpeechProviders,
  type SpeechParts,
  type SpeechProviders,
} from "#src/audio/speech-providers/speech-providers.ts";
import { PhraseCache } from "#src/audio/tts/phrase-cache.ts";
import { HoldSounds } from "#src/audio/voice/hold-sounds.ts";
import { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { WorkspaceSpeech } from "#src/authoring/speech-accounts/workspace-speech.ts";
import type { Config } from "#src/platform/config/config.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import type { Closers } from "./closers.ts";
import type { Core } from "./core.ts";

/** Audio of a process's calls. */
export interface Audio {
  /** Speaks the recordings that are rendered. */
  speech: SpeechEngine;
  /** The configured STT and TTS providers of calls. */
  speechProviders: SpeechProviders;
  /** Returns the speech providers of a workspace, which may have accounts of its own; never rejects. */
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
  /** The media thread. */
  host: MediaHost;
  /** Opens the audio of calls. */
  voice: VoiceCalls;
}

/** Opens what speaks and hears in this process; its media thread starts with the first call. */
export function openAudio(config: Config, core: Core, programs: SpeechPrograms, closers: Closers): Audio {
  const { log, safeFetch } = core;
  const opened = openSpeechProviders(config, core, programs);
  const host = new MediaHost({ log, maxCalls: config.maxAudioCalls, vadModel: config.speech.vadModel });
  closers.add(() => host.close());
  const { speechProviders: providers, speechOf: ofWorkspace } = opened;
  const holdSounds = new HoldSounds({ safeFetch, log });
  const voice = new VoiceCalls({ host, providers, ofWorkspace, holdSounds, log });
  const speech = programs.flite ? createFliteEngine(programs.flite, log) : toneEngine;
  return { speech, ...opened, host, voice };
}

function openSpeechProviders(
  { speech: settings }: Config,
  { guard, keeping, log, databases, box, metrics }: Core,
  programs: SpeechPrograms,
): Pick<Audio, "speechProviders" | "speechOf"> {
  const openSocket = createOpenSocket(guard);
  const { safeFetch, safeOpen, warm } = keeping;
  const parts: SpeechParts = { safeFetch, safeOpen, warm, openSocket, log, onRequest: metrics.onProviderRequest };
  const cache = new PhraseCache(settings.phraseCacheBytes);
  const server = joinSpeechProviders(settings, parts, programs, (one) => cache.wrap(one));
  const ofWorkspaces = new WorkspaceSpeech({
    db: databases.dispatch.db,
    box,
    log,
    settings,
    server,
    make: (own, scope) => joinSpeechProviders(own, parts, programs, (one) => cache.wrap(one, scope)),
  });
  return { speechProviders: server, speechOf: (workspaceId) => ofWorkspaces.of(workspaceId) };
}

/** Describes the speech providers for `parley doctor`; throws when one that the operator lists is missing. */
export function describeSpeech({ sttProviders, ttsProviders, missing }: SpeechProviders): string {
  if (missing.length > 0) throw new Error(missing.join(" "));
  const say = (names: string[]) => (names.length > 0 ? names.join(", then ") : "none, so only the sandbox's tones");
  return `speech to text: ${say(sttProviders)}; text to speech: ${say(ttsProviders)}`;
}
