import { AmdDetector } from "#src/audio/amd/amd-detector.ts";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import { TurnEngine } from "#src/audio/turns/turn-engine.ts";
import { LoudVad } from "#src/audio/vad/loud-vad.ts";
import type { Vad } from "#src/audio/vad/vad.ts";
import { openCallRecorder } from "./call-recorder.ts";
import { type FrameTransport, MediaCall, type TransportEvents } from "./media-call.ts";
import type { CallMediaEvent, MediaCallOptions } from "./messages.ts";

/** Dependencies of a thread's calls. */
export interface CallMakers {
  /** Creates the transport of a source. Throws when that is impossible. */
  openTransport(source: MediaCallOptions["source"], events: TransportEvents): FrameTransport;
  /** Counts the packets, of all calls so far, that were rejected because of their source address. */
  countForeign?(): number;
  /** Creates a voice activity detector. */
  openVad(): Vad;
}

/** A call of the worker. */
export interface OpenCall {
  media: MediaCall;
  /** Ends the recording, whose last writes may take a moment; null when there was none. Never throws. */
  close(by: "REMOTE" | "LOST" | null): Promise<RecordingSummary | null>;
}

/** Builds a call from its options. The audio begins with the ticker. */
export function openCall(
  options: MediaCallOptions,
  makers: CallMakers,
  onMediaEvent: (event: CallMediaEvent) => void,
  onClosed: (by: "REMOTE" | "LOST") => void,
): OpenCall {
  const recording = options.recording ? openCallRecorder(options.recording) : null;
  const answers = new AmdDetector({
    language: options.language,
    onEvent: (event) => onMediaEvent({ kind: "ANSWER", event }),
  });
  const transport = makers.openTransport(options.source, {
    onDigit: (digit) => media.hearDigit(digit),
    onClosed,
    onStranger: (host, signalledHost) => onMediaEvent({ kind: "STRANGER", host, signalledHost }),
  });
  const media: MediaCall = new MediaCall({
    transport,
    openTurns: (onEvent) =>
      new TurnEngine({
        vad: options.vad === "LOUD" ? new LoudVad() : makers.openVad(),
        endpointing: { language: options.language, defaultMs: options.endpointingMs },
        bargeIn: { speechMs: options.bargeInMs },
        names: options.names ?? [],
        hasStt: options.hasStt,
        onEvent,
      }),
    answers,
    recorder: recording,
    onEvent: onMediaEvent,
  });
  if (options.carrierVerdict) answers.takeCarrierVerdict(options.carrierVerdict, 0);
  return {
    media,
    close: (by) => {
      media.close(by);
      return recording?.close() ?? Promise.resolve(null);
    },
  };
}
