import type { FrameCodec } from "#src/audio/codec/frame-codec.ts";

/** How the sound of a socket is encoded. Rates other than 8 kHz are for the caller to resample. */
export interface SocketFormat {
  codec: FrameCodec;
  rateHz: number;
}

/** Why a message was not understood. None of them ends the call: they are counted, and the caller has a limit. */
export type SocketFault =
  | "TOO_LARGE"
  | "WRONG_KIND"
  | "MALFORMED"
  | "BAD_FORMAT"
  | "BAD_AUDIO"
  | "WRONG_STREAM"
  | "OUT_OF_ORDER";

/** The stream begins. `parameters` are those that our answer to the carrier asked to be passed on. */
export interface SocketStarted {
  kind: "STARTED";
  streamId: string;
  callId: string;
  format: SocketFormat;
  parameters: Record<string, string>;
}

/**
 * Sound came. This object and its `payload` are used again for the next message. `position` counts samples, at the
 * format's rate, from the start of the stream; messages may come out of order.
 */
export interface SocketAudio {
  kind: "AUDIO";
  payload: Uint8Array;
  payloadBytes: number;
  position: number;
}

/** What one message of a carrier's media socket says. */
export type SocketEvent =
  | { kind: "CONNECTED" }
  | SocketStarted
  | SocketAudio
  | { kind: "KEY"; key: string; durationMs: number | null }
  /** What we sent before the mark of this name has been played, or thrown away by a clear. */
  | { kind: "MARK"; name: string }
  | { kind: "CLEARED" }
  | { kind: "CARRIER_ERROR"; code: string; message: string }
  | { kind: "STOPPED" }
  | { kind: "IGNORED" }
  | { kind: "FAULT"; fault: SocketFault };

/** Reads and writes the messages of one socket, without the socket. Nothing that a carrier sends makes it throw. */
export interface MediaSocketCodec {
  /** Null before the stream has started. */
  readonly format: SocketFormat | null;
  readonly faults: Readonly<Record<SocketFault, number>>;
  /** Whether sound goes out in binary messages; everything else goes as text. */
  readonly isAudioBinary: boolean;
  read(message: Uint8Array, isBinary: boolean): SocketEvent;
  /** Bytes of the message that `writeAudio` makes of so many bytes of sound. */
  countAudio(payloadBytes: number): number;
  /** Writes a message with sound to `out`; gives its length. Throws a RangeError when the stream has not started. */
  writeAudio(payload: Uint8Array, payloadBytes: number, out: Uint8Array): number;
  /** The message that asks to be told when all sound before it was played. */
  mark(name: string): string;
  /** The message that throws away what was not played yet. */
  clear(): string;
}

/** Messages that have nothing to tell are the same objects each time. */
export const IGNORED: SocketEvent = { kind: "IGNORED" };
export const CONNECTED: SocketEvent = { kind: "CONNECTED" };
export const CLEARED: SocketEvent = { kind: "CLEARED" };
export const STOPPED: SocketEvent = { kind: "STOPPED" };

/** Counts faults by their reason, and makes the event of one. */
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

  /** Counts a fault and gives its event. */
  raise(fault: SocketFault): SocketEvent {
    this.counts[fault]++;
    return { kind: "FAULT", fault };
  }
}
