import type { MessagePort } from "node:worker_threads";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { RecorderPlace } from "./call-recorder.ts";
import type { MediaEvent, Supervisor } from "./media-call.ts";
import type { PortRange } from "./rtp-socket.ts";
import type { Lateness } from "./ticker.ts";

/** Settings of one call's media. */
export interface MediaCallOptions {
  source: MediaSource;
  /** BCP 47; selects the words of turn-taking, and the phrases of machines. */
  language: string;
  /**
   * ENERGY for voices: detected by energy, or by Silero where the operator has added it. LOUD for the sandbox's tone
   * speech, which a voice detector rightly rejects.
   */
  vad: "ENERGY" | "LOUD";
  /** Names that people may answer with. */
  names?: readonly string[];
  /** True when words will come from STT. */
  hasStt: boolean;
  /** Wait at a pause of a speaker of whom nothing is known yet, in milliseconds. */
  endpointingMs: number;
  /** Speech over the agent that pauses it, in milliseconds. */
  bargeInMs: number;
  recording: RecorderPlace | null;
  /** The carrier's own verdict on who answered; null: it has none. */
  carrierVerdict: AnsweredBy | null;
}

/** Start data of the media thread. */
export interface MediaThreadData {
  /** File of a Silero model; null: speech is detected by energy. */
  vadModel: string | null;
  /** The cell of `ThreadRest`. */
  rest: SharedArrayBuffer;
}

/** Order of the main thread to the worker. */
export type ToWorker =
  | { kind: "OPEN"; callId: number; options: MediaCallOptions }
  | { kind: "BEGIN"; callId: number; utterance: number }
  | { kind: "ADD"; callId: number; utterance: number; samples: Int16Array }
  | { kind: "COMPLETE"; callId: number; utterance: number }
  | { kind: "CLEAR"; callId: number }
  | { kind: "WORDS"; callId: number; event: SpeechEvent }
  | { kind: "DIGITS"; callId: number; digits: string }
  | { kind: "CALLER_WAITING"; callId: number; sinceMs: number | null }
  /** The carrier's verdict on who answered, which came after the audio was opened. */
  | { kind: "VERDICT"; callId: number; answeredBy: AnsweredBy }
  | { kind: "CLOSE"; callId: number }
  /** Both calls hear each other; null separates them. */
  | { kind: "JOIN"; callId: number; other: number | null }
  /** A hold sound, which repeats; null ends the hold. */
  | { kind: "HOLD"; callId: number; sound: Int16Array | null }
  /** A supervisor's port: see PortSupervisor. */
  | { kind: "SUPERVISE"; callId: number; port: MessagePort; heardBy: Supervisor["heardBy"] }
  | { kind: "OPEN_SOCKET"; socketId: number; host: string; ports: PortRange | null }
  | { kind: "CLOSE_SOCKET"; socketId: number }
  /** The far end moved, according to its signalling; port 0: nothing is sent. `isHeld`: its silence is as agreed. */
  | { kind: "REDIRECT_SOCKET"; socketId: number; remote: { host: string; port: number }; isHeld: boolean };

/** Event of a call, from the worker to the main thread. One message holds events of several calls. */
export type CallMediaEvent =
  | MediaEvent
  /** Last event of a call: its recording is on disk. `fault`: the call broke, or could not be opened. */
  | { kind: "ENDED"; recording: RecordingSummary | null; fault: string | null };

/** AUDIO in transit: `count` of the message's samples, received up to `atMs`. */
export interface SoundEvent {
  kind: "SOUND";
  count: number;
  atMs: number;
  saidPeak: number;
}

/** Message from the worker. */
export type FromWorker =
  | { kind: "READY" }
  /** `audio` holds the samples of all SOUND events, one after the other. */
  | {
      kind: "EVENTS";
      events: [callId: number, event: Exclude<CallMediaEvent, { kind: "AUDIO" }> | SoundEvent][];
      audio: Int16Array<ArrayBuffer>;
    }
  | { kind: "LOAD"; calls: number; foreignPackets: number; lateness: Lateness }
  /** The Silero model cannot be used, or no longer: all calls fall back to energy. */
  | { kind: "VAD_LOST"; fault: string }
  | { kind: "SOCKET"; socketId: number; port: number; error: string | null };
