import type { AnswerEvent } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { Line } from "#src/audio/line/line.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { TurnEngine } from "#src/audio/turns/turn-engine.ts";
import { LoudVad } from "#src/audio/vad/loud-vad.ts";
import { VoiceLine } from "#src/audio/voice/voice-line.ts";
import { type FrameTransport, MediaCall } from "#src/audio/worker/media-call.ts";
import { handleOf } from "./trial-media.ts";

/** Options of a trial call. */
export interface TrialOptions {
  transfer?: Line["transfer"];
  loadHoldSound?: (url: string) => Promise<Int16Array | null>;
}

/**
 * A call in tone speech over mu-law whose audio a test drives frame by frame: the person's speech, the audio they hear,
 * and the line on our side.
 */
export class TrialCall implements FrameTransport {
  readonly line: VoiceLine;
  readonly media: MediaCall;
  /** Resolves when the media is over. */
  readonly ended: Promise<void>;
  /** The utterances that the person heard whole. */
  readonly heard: string[] = [];
  /** Keypad tones that the person heard. */
  digits = "";
  /** All audio that the person heard, frame by frame, since this was emptied. */
  frames: Int16Array[] = [];
  /** All audio recorded, ours and theirs. */
  readonly recorded: [Int16Array[], Int16Array[]] = [[], []];
  isClosed = false;
  readonly #sink: ToneStream;
  #voice: Int16Array = new Int16Array(0);
  #at = 0;
  #onEnded: () => void = () => undefined;

  constructor(options: TrialOptions = {}) {
    this.ended = new Promise((resolve) => (this.#onEnded = resolve));
    this.#sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.heard.push(text) });
    this.media = new MediaCall({
      transport: this,
      openTurns: (onEvent) =>
        new TurnEngine({ vad: new LoudVad(), endpointing: { language: "en" }, hasStt: true, onEvent }),
      answers: null,
      recorder: {
        write: (theirs, ours) => {
          this.recorded[0].push(ours.slice());
          this.recorded[1].push(theirs.slice());
        },
      },
      onEvent: (event) => this.line.onEvent(event),
    });
    const { media } = this;
    this.line = new VoiceLine({
      media: handleOf(() => media),
      stt: toneStt,
      tts: toneTts,
      language: "en-US",
      voiceId: null,
      hints: [],
      ...options,
      onFault: (code, message) => {
        throw new Error(`${code}: ${message}`);
      },
    });
  }

  /** Makes the person say something. */
  say(text: string): void {
    this.#voice = encodeToneSpeech(text);
    this.#at = 0;
  }

  /** Makes the person hang up. */
  hangUp(): void {
    this.media.close("REMOTE");
  }

  /** Emits an AMD verdict. */
  find(answeredBy: Extract<AnswerEvent, { kind: "VERDICT" }>["answeredBy"]): void {
    const verdict = { kind: "VERDICT", answeredBy, confidence: 1, decidedAfterMs: 0, revision: 0 } as const;
    this.line.onEvent({ kind: "ANSWER", event: { ...verdict, reason: "WORDS" } });
  }

  read(frame: Int16Array): boolean {
    if (this.#at >= this.#voice.length) return false;
    frame.fill(0);
    frame.set(this.#voice.subarray(this.#at, this.#at + FRAME_SAMPLES));
    this.#at += FRAME_SAMPLES;
    carry(frame);
    return true;
  }

  write(frame: Int16Array): void {
    const carried = frame.slice();
    carry(carried);
    this.frames.push(carried);
    this.#sink.push(carried);
  }

  sendDigits(digits: string): void {
    this.digits += digits;
  }

  close(): void {
    this.isClosed = true;
    this.#onEnded();
  }
}

/** Changes a frame as the telephone network does. */
function carry(frame: Int16Array): void {
  const bytes = new Uint8Array(frame.length);
  muLawCodec.encodeInto(frame, frame.length, bytes, 0);
  muLawCodec.decodeInto(bytes, 0, frame.length, frame);
}

/** Lets call time pass for some calls, side by side, until `isDone` or for `frames` of 20 ms. */
export async function drive(calls: TrialCall[], frames: number, isDone: () => boolean = () => false): Promise<void> {
  for (let frame = 0; frame < frames && !isDone(); frame++) {
    for (const call of calls) call.media.tick();
    if (frame % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Joins the frames heard or recorded. */
export function joinFrames(frames: Int16Array[]): Int16Array {
  const all = new Int16Array(frames.length * FRAME_SAMPLES);
  for (const [i, frame] of frames.entries()) all.set(frame, i * FRAME_SAMPLES);
  return all;
}
