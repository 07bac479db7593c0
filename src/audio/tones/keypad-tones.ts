import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/** The frequencies of a keypad's rows and columns (ITU-T Q.23). */
const ROWS_HZ = [697, 770, 852, 941];
const COLUMNS_HZ = [1_209, 1_336, 1_477, 1_633];
const KEYS = "123A456B789C*0#D";
const TONE_FRAMES = 5;
const GAP_FRAMES = 4;
/** Amplitude of each of the two tones, about -10 dBm0. */
const AMPLITUDE = 7_000;
const MAX_QUEUED = 128;

/** Generates keypad tones in the audio itself, for far ends that take no telephone events: 100 ms each, 80 ms apart. */
export class KeypadTones {
  readonly #queue: number[] = [];
  #key = -1;
  #frames = 0;

  /** Queues keys (0-9 * # A-D). Throws a RangeError, and queues none, for another character or a full queue. */
  press(keys: string): void {
    const codes = Array.from(keys.toUpperCase(), (key) => KEYS.indexOf(key));
    if (codes.includes(-1)) throw new RangeError("Only the keys 0-9, *, # and A-D can be pressed.");
    if (this.#queue.length + codes.length > MAX_QUEUED)
      throw new RangeError(`No more than ${MAX_QUEUED} keys can wait.`);
    this.#queue.push(...codes);
  }

  /** Replaces the audio of a frame with the next 20 ms of tone, or of the silence after it; false when no key waits. */
  fill(frame: Int16Array): boolean {
    if (this.#key < 0) {
      const next = this.#queue.shift();
      if (next === undefined) return false;
      this.#key = next;
      this.#frames = 0;
    }
    if (this.#frames < TONE_FRAMES) this.#sound(frame);
    else frame.fill(0, 0, FRAME_SAMPLES);
    if (++this.#frames === TONE_FRAMES + GAP_FRAMES) this.#key = -1;
    return true;
  }

  #sound(frame: Int16Array): void {
    const row = ((ROWS_HZ[this.#key >> 2] as number) * 2 * Math.PI) / VOICE_RATE_HZ;
    const column = ((COLUMNS_HZ[this.#key & 3] as number) * 2 * Math.PI) / VOICE_RATE_HZ;
    const from = this.#frames * FRAME_SAMPLES;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      frame[i] = AMPLITUDE * (Math.sin(row * (from + i)) + Math.sin(column * (from + i)));
    }
  }
}
