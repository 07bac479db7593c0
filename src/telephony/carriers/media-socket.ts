import type { FrameCodec } from "#src/audio/codec/frame-codec.ts";

/** Encoding of a socket's audio. The caller must resample rates other than 8 kHz. */
export interface SocketFormat {
  codec: FrameCodec;
  rateHz: number;
}

/** Reason why a message could not be read. No fault ends the call: they are counted, and the caller sets the limit. */
export type SocketFault =
  | "TOO_LARGE"
  | "WRONG_KIND"
  | "MALFORMED"
  | "BAD_FORMAT"
  | "BAD_AUDIO"
  | "WRONG_STREAM"
  | "OUT_OF_ORDER";

/** Start of the stream. `parameters` are those that our answer to the carrier asked it to pass on. */
export interface SocketStarted {
  kind: "STARTED";
  streamId: string;
  callId: string;
  format: SocketFormat;
  parameters: Record<string, string>;
}

/**
 * Received audio. This object and its `payload` are reused for the next message. `position` counts samples, at the
 * format's rate, from the start of the stream; messages may come out of order.
 */
export interface SocketAudio {
  kind: "AUDIO";
  payload: Uint8Array;
  payloadBytes: number;
  position: number;
}

/** One message of a carrier's media socket. */
export type SocketEvent =
  | { kind: "CONNECTED" }
  | SocketStarted
  | SocketAudio
  | { kind: "KEY"; key: string; durationMs: number | null }
  /** The audio sent before the mark of this name has been played, or discarded by a clear. */
  | { kind: "MARK"; name: string }
  | { kind: "CLEARED" }
  | { kind: "CARRIER_ERROR"; code: string; message: string }
  | { kind: "STOPPED" }
  | { kind: "IGNORED" }
  | { kind: "FAULT"; fault: SocketFault };

/** Reads and writes the messages of one socket, without the socket. Never throws because of a carrier's message. */
export interface MediaSocketCodec {
  /** Null before the stream has started. */
  readonly format: SocketFormat | null;
  readonly faults: Readonly<Record<SocketFault, number>>;
  /** True when audio is sent in binary messages; everything else is sent as text. */
  readonly isAudioBinary: boolean;
  read(message: Uint8Array, isBinary: boolean): SocketEvent;
  /** Returns the bytes of the message that `writeAudio` makes of this many bytes of audio. */
  countAudio(payloadBytes: number): number;
  /** Writes a message with audio to `out`; returns its length. Throws a RangeError when the stream has not started. */
  writeAudio(payload: Uint8Array, payloadBytes: number, out: Uint8Array): number;
  /** Returns the message that asks for a notice once all audio before it was played. */
  mark(name: string): string;
  /** Returns the message that discards audio not played yet. */
  clear(): string;
}

/** Messages without data are shared objects. */
export const IGNORED: SocketEvent = { kind: "IGNORED" };
export const CONNECTED: SocketEvent = { kind: "CONNECTED" };
export const CLEARED: SocketEvent = { kind: "CLEARED" };
export const STOPPED: SocketEvent = { kind: "STOPPED" };

/** Counts faults by reason and makes their events. */
export class FaultCounter {
  readonly counts: Record<SocketFault, number> = {
    TOO_LARGE: 0,
    WRONG_KIND: 0,
    MALFORMED: 0,
    BAD_FORMAT: 0,
    BAD_AUDIO: 0,
    WRONG_STREAM: 0,
    OUT_OF_ORDER: 0,
  };

  /** Counts a fault and returns its event. */
  raise(fault: SocketFault): SocketEvent {
    this.counts[fault]++;
    return { kind: "FAULT", fault };
  }
}
