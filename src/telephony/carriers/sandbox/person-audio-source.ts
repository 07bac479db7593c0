import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { Sound } from "./audio-sounds.ts";

/** Plays one sound at a time as frames of mu-law. */
export class PersonAudioSource {
  readonly #samples = new Int16Array(FRAME_SAMPLES);
  #sound: Sound | undefined;
  #piece: Int16Array = new Int16Array(0);
  #at = 0;

  /** True when the sound continues after the last frame. */
  get isPlaying(): boolean {
    return this.#sound !== undefined;
  }

  /** Starts a sound, in place of the current one. */
  play(sound: Sound): void {
    this.stop();
    this.#sound = sound;
    this.#fetch();
  }

  /** Stops the current sound. */
  stop(): void {
    this.#sound = undefined;
    this.#piece = new Int16Array(0);
    this.#at = 0;
  }

  /** Returns the next 20 ms in a new array; silence when nothing plays. */
  read(): Uint8Array {
    let filled = 0;
    while (filled < FRAME_SAMPLES && this.#sound) {
      const part = this.#piece.subarray(this.#at, this.#at + FRAME_SAMPLES - filled);
      this.#samples.set(part, filled);
      filled += part.length;
      this.#at += part.length;
      if (this.#at >= this.#piece.length) this.#fetch();
    }
    this.#samples.fill(0, filled);
    const frame = new Uint8Array(FRAME_SAMPLES);
    muLawCodec.encodeInto(this.#samples, FRAME_SAMPLES, frame, 0);
    return frame;
  }

  #fetch(): void {
    const next = this.#sound?.next();
    if (!next || next.done) return this.stop();
    this.#piece = next.value;
    this.#at = 0;
  }
}
