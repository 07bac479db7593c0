import type { MessagePort } from "node:worker_threads";
import type { CarrierVerdict } from "#src/audio/amd/amd-events.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { RecorderPlace } from "./call-recorder.ts";
import type { MediaEvent, Supervisor } from "./media-call.ts";
import type { PortRange } from "./rtp-socket.ts";
import type { Lateness } from "./ticker.ts";

/** How the media of one call is to be held. */
export interface MediaCallOptions {
  source: MediaSource;
  /** BCP 47; whose words count as unfinished, and what machines say. */
  language: string;
  /**
   * ENERGY for voices: told by energy, or by Silero where the operator has added it. LOUD for the tone speech of the
   * sandbox, which a detector of voices rightly takes for no voice.
   */
  vad: "ENERGY" | "LOUD";
  /** Names by which people may answer. */
  names?: readonly string[];
  /** Whether words will come from a recogniser. */
  hasStt: boolean;
  /** Wait at a pause for a speaker of whom nothing is known, in milliseconds. */
  endpointingMs: number;
  /** Speech over the agent that pauses it, in milliseconds. */
  bargeInMs: number;
  recording: RecorderPlace | null;
  /** The carrier's own verdict on who answered; null: it has none. */
  carrierVerdict: CarrierVerdict | null;
}

/** What the thread is started with. */
export interface MediaThreadData {
  /** File of a Silero model; null: voices are told by energy. */
  vadModel: string | null;
  /** The cell of `ThreadRest`. */
  rest: SharedArrayBuffer;
}

/** What the API thread asks of the worker. */
export type ToWorker =
  | { kind: "OPEN"; callId: number; options: MediaCallOptions }
  | { kind: "BEGIN"; callId: number; utterance: number }
  | { kind: "ADD"; callId: number; utterance: number; samples: Int16Array }
  | { kind: "COMPLETE"; callId: number; utterance: number }
  | { kind: "CLEAR"; callId: number }
  | { kind: "WORDS"; callId: number; event: SpeechEvent }
  | { kind: "DIGITS"; callId: number; digits: string }
  | { kind: "CALLER_WAITING"; callId: number; sinceMs: number | null }
  /** The carrier's word on who answered, which came after the audio was opened. */
  | { kind: "VERDICT"; callId: number; answeredBy: CarrierVerdict }
  | { kind: "CLOSE"; callId: number }
  /** Both calls hear each other; null ends that. */
  | { kind: "JOIN"; callId: number; other: number | null }
  /** A sound that the person hears over and over; null takes them back. */
  | { kind: "HOLD"; callId: number; sound: Int16Array | null }
  /** A supervisor's port: see PortSupervisor. */
  | { kind: "SUPERVISE"; callId: number; port: MessagePort; heardBy: Supervisor["heardBy"] }
  | { kind: "OPEN_SOCKET"; socketId: number; host: string; ports: PortRange | null }
  | { kind: "CLOSE_SOCKET"; socketId: number }
  /** The far end moved, by its signalling; port 0: nothing is sent. `isHeld`: its silence is as agreed. */
  | { kind: "REDIRECT_SOCKET"; socketId: number; remote: { host: string; port: number }; isHeld: boolean };

/** What a call of the worker tells the API thread, several calls' events in one message. */
export type CallMediaEvent =
  | MediaEvent
  /** The last news of a call: its recording is on the disk. `fault`: the call broke, or could not be opened. */
  | { kind: "ENDED"; recording: RecordingSummary | null; fault: string | null };

/** AUDIO on its way: so many of the message's samples, heard up to `atMs`. */
export interface SoundEvent {
  kind: "SOUND";
  count: number;
  atMs: number;
}

/** What the worker tells. */
export type FromWorker =
  | { kind: "READY" }
  /** The samples of all SOUND stand in `audio`, one after the other. */
  | {
      kind: "EVENTS";
      events: [callId: number, event: Exclude<CallMediaEvent, { kind: "AUDIO" }> | SoundEvent][];
      audio: Int16Array<ArrayBuffer>;
    }
  | { kind: "LOAD"; calls: number; foreignPackets: number; lateness: Lateness }
  /** The Silero model cannot be used, or no longer: all calls are heard by energy. */
  | { kind: "VAD_LOST"; fault: string }
  | { kind: "SOCKET"; socketId: number; port: number; error: string | null };
