import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";

/** Mean square above which a frame is loud (rms 200 of 32,767). */
const LOUD = 200 ** 2;
const FRAME_MS = 20;
/** Silence after which an utterance is over, even when its end was not received. */
const OVER_MS = 200;

/** Callbacks for the agent's speech. */
export interface AudioSinkListener {
  /** Words so far of an utterance, and their share of it, from 0 to 1. */
  onPartial(text: string, share: number): void;
  onUtterance(text: string): void;
}

/** Decodes the agent's tone speech from frames of mu-law. A real voice only counts as loud and yields no words. */
export class PersonAudioSink {
  readonly #samples = new Int16Array(FRAME_SAMPLES);
  readonly #stream: ToneStream;
  #quietMs = Number.POSITIVE_INFINITY;

  constructor(listener: AudioSinkListener) {
    this.#stream = new ToneStream({
      onSoFar: (text, share) => listener.onPartial(text, share),
      onUtterance: (text) => listener.onUtterance(text),
    });
  }

  /** Milliseconds of the agent's silence so far. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** True once the last utterance is over. */
  get isOver(): boolean {
    return this.#quietMs >= OVER_MS;
  }

  /** Takes the next frame of 160 bytes. */
  hear(frame: Uint8Array): void {
    muLawCodec.decodeInto(frame, 0, FRAME_SAMPLES, this.#samples);
    const wasOver = this.isOver;
    this.#quietMs = isLoud(this.#samples) ? 0 : this.#quietMs + FRAME_MS;
    this.#stream.push(this.#samples);
    if (this.isOver && !wasOver) this.#stream.flush();
  }
}

function isLoud(samples: Int16Array): boolean {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum > LOUD * samples.length;
}
