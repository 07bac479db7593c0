import { FRAME_SAMPLES } from "#src/audio/codec/frame-codec.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";

/** Mean square above which somebody speaks (rms 200 of 32,767). */
const LOUD = 200 ** 2;
const FRAME_MS = 20;
/** After so much silence what was said is over, also where its end did not come. */
const OVER_MS = 200;

/** What a person is told of the agent's speech. */
export interface AudioSinkListener {
  /** Words so far of an utterance, and how much of it they are, from 0 to 1. */
  onPartial(text: string, share: number): void;
  onUtterance(text: string): void;
}

/** Hears the agent's tone speech in frames of mu-law. Speech in a voice is loud to it, and has no words. */
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

  /** How long the agent has been silent. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** True once what was said last is over. */
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
