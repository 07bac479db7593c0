import type { MessagePort } from "node:worker_threads";
import type { Line, SpokenLatency } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { RecorderPlace } from "#src/audio/worker/call-recorder.ts";
import type { HostedCall, MediaHost } from "#src/audio/worker/media-host.ts";
import type { CallMediaEvent, MediaCallOptions } from "#src/audio/worker/messages.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { HoldSounds } from "./hold-sounds.ts";
import { VoiceLine } from "./voice-line.ts";

const DEFAULT_END_OF_TURN_MS = 500;
const DEFAULT_BARGE_IN_MS = 300;

/** Audio of one call, and the settings of its speech. */
export interface VoiceCallOptions {
  source: MediaSource;
  /** TONES: the sandbox's tone speech. VOICES: the configured speech providers. */
  speech: "TONES" | "VOICES";
  /** Providers for STT and TTS; the server's own when undefined. */
  providers?: SpeechProviders | undefined;
  /** BCP 47. */
  language: string;
  /** The provider's id of a voice; null for its default. */
  voiceId: string | null;
  /** Likely words, such as names. */
  hints: string[];
  /** Names that people may answer with; none when left out. */
  names?: readonly string[];
  /** Pause that ends a turn of a speaker of whom nothing is known yet; 500 when null. */
  endOfTurnMs: number | null;
  /** Speech over the agent that pauses it; 300 when null. */
  bargeInMs: number | null;
  recording: RecorderPlace | null;
  carrierVerdict: MediaCallOptions["carrierVerdict"];
  /** Transfers the call; undefined where the carrier cannot. */
  transfer: Line["transfer"] | undefined;
}

/** Outcome of a call's media once it is over. */
export interface VoiceCallEnd {
  recording: RecordingSummary | null;
  /** Reason that the media broke; null when it did not. */
  fault: string | null;
}

/** A call whose audio is open. */
export interface VoiceCall {
  readonly line: VoiceLine;
  readonly media: HostedCall;
  /** Resolves when the line is closed and its recording is on disk. Never rejects. */
  readonly ended: Promise<VoiceCallEnd>;
  /** Lets a supervisor listen in, and speak to the agent or to both. */
  supervise(port: MessagePort, heardBy: "NOBODY" | "AGENT" | "BOTH"): void;
}

type Stranger = CallMediaEvent & { kind: "STRANGER" };

/** Connects the media thread and the speech providers to lines for conversations. */
export class VoiceCalls {
  readonly #host: MediaHost;
  readonly #providers: SpeechProviders;
  readonly #ofWorkspace: ((workspaceId: string) => Promise<SpeechProviders>) | undefined;
  readonly #holdSounds: HoldSounds | undefined;
  readonly #log: Log;
  #onAnswered: (latency: SpokenLatency) => void = () => undefined;

  constructor(parts: {
    host: MediaHost;
    providers: SpeechProviders;
    /** Returns the providers of a workspace with accounts of its own; never rejects. */
    ofWorkspace?: (workspaceId: string) => Promise<SpeechProviders>;
    holdSounds?: HoldSounds;
    log: Log;
  }) {
    this.#host = parts.host;
    this.#providers = parts.providers;
    this.#ofWorkspace = parts.ofWorkspace;
    this.#holdSounds = parts.holdSounds;
    this.#log = parts.log;
  }

  /** Sets the listener for the latency of each answer. */
  onAnswered(listener: (latency: SpokenLatency) => void): void {
    this.#onAnswered = listener;
  }

  /** Returns the STT and TTS providers of a workspace's calls. Never rejects. */
  async providersOf(workspaceId: string): Promise<SpeechProviders> {
    return this.#ofWorkspace ? this.#ofWorkspace(workspaceId) : this.#providers;
  }

  /**
   * Returns the speech that a workspace's voice calls need and that is not configured; null while nothing is missing.
   */
  async missingFor(workspaceId: string): Promise<string | null> {
    const { sttProviders, ttsProviders } = await this.providersOf(workspaceId);
    const missing = [
      ...(sttProviders.length > 0 ? [] : ["speech to text"]),
      ...(ttsProviders.length > 0 ? [] : ["text to speech"]),
    ];
    return missing.length === 0
      ? null
      : `No ${missing.join(" and no ")} is configured on this server or in this workspace.`;
  }

  /** Number of further calls for which there is capacity. */
  get room(): number {
    return this.#host.room;
  }

  /** Reserves capacity for one call before it is dialled; the returned function releases it. Null: no capacity. */
  reserve(): (() => void) | null {
    return this.#host.reserve();
  }

  #noteStranger({ host, signalledHost }: Stranger): void {
    this.#log.warn(
      "Audio of a call came from an address that its signalling did not give, and was not heard. If the trunk is behind NAT, name the address in its rtpSources.",
      { from: host, signalled: signalledHost },
    );
  }

  /** Opens the audio of an answered call. Throws VALIDATION_FAILED when no speech provider is configured. */
  open(options: VoiceCallOptions): VoiceCall {
    // An operator may list TONE for other calls, too: for tests of those.
    const providers = options.providers ?? this.#providers;
    const hearsTones = options.speech === "TONES" || providers.sttProviders[0] === "TONE";
    const names = options.speech === "TONES" ? (["TONE"] as const) : undefined;
    const stt = providers.findStt(names);
    const tts = providers.findTts(names);
    tts.warm?.();
    const { promise: ended, resolve } = Promise.withResolvers<VoiceCallEnd>();
    const onMediaEvent = (event: CallMediaEvent): void => {
      if (event.kind === "STRANGER") return this.#noteStranger(event);
      if (event.kind !== "ENDED") return line.onEvent(event);
      if (event.fault) this.#log.warn("The media of a call broke.", { fault: event.fault });
      resolve({ recording: event.recording, fault: event.fault });
    };
    const media = this.#host.open(toMediaOptions(options, hearsTones), onMediaEvent);
    const { language, voiceId, hints, transfer } = options;
    const onFault = (code: string, message: string): void => this.#log.warn("Speech failed.", { code, message });
    const said = { language, voiceId, hints };
    const onAnswered = (latency: SpokenLatency): void => this.#onAnswered(latency);
    const loadHoldSound = async (url: string) => this.#holdSounds?.load(url) ?? null;
    const heard = { transfer, loadHoldSound, onFault, onAnswered };
    const line: VoiceLine = new VoiceLine({ media, stt, tts, ...said, ...heard });
    return { line, media, ended, supervise: (port, heardBy) => media.supervise(port, heardBy) };
  }
}

function toMediaOptions(options: VoiceCallOptions, hearsTones: boolean): MediaCallOptions {
  const { source, language, recording, carrierVerdict } = options;
  return {
    source,
    language,
    names: options.names ?? [],
    vad: hearsTones ? "LOUD" : "ENERGY",
    hasStt: true,
    endpointingMs: options.endOfTurnMs ?? DEFAULT_END_OF_TURN_MS,
    bargeInMs: options.bargeInMs ?? DEFAULT_BARGE_IN_MS,
    recording,
    carrierVerdict,
  };
}
