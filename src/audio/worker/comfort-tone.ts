import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/**
 * Silence before the tone. A person who hears nothing for 2.5 s thinks that the line is dead; this leaves time for the
 * way to them.
 */
const QUIET_MS = 2_200;
const AMPLITUDE = 2_500;
const NOTE_MS = 90;
/** Two rising notes: unlike the tones by which networks signal busy, ringing or an error. */
const WAITING_HZ = [523, 659];
const FAREWELL_HZ = [659, 523, 392];

/**
 * Lets a person who waits for us hear that the line is alive. It is generated here, frame by frame, so it sounds even
 * when models, speech providers or the whole other thread are silent.
 */
export class ComfortTone {
  readonly #sound = makeNotes(WAITING_HZ, NOTE_MS);
  #waitingSinceMs: number | null = null;
  #lastSoundMs = 0;
  #at = Infinity;

  /** Sets the call time since which the person waits for us; null: they do not. */
  setCallerWaitingSince(sinceMs: number | null): void {
    this.#waitingSinceMs = sinceMs;
  }

  /** Takes each outgoing frame. `hasSound`: the line has sound anyway. True when it filled the frame. */
  fill(said: Int16Array, hasSound: boolean, atMs: number): boolean {
    if (hasSound) {
      this.#lastSoundMs = atMs;
      this.#at = Infinity;
      return false;
    }
    if (this.#at >= this.#sound.length) {
      if (this.#waitingSinceMs === null || atMs - Math.max(this.#waitingSinceMs, this.#lastSoundMs) < QUIET_MS)
        return false;
      this.#at = 0;
    }
    said.set(this.#sound.subarray(this.#at, this.#at + FRAME_SAMPLES));
    this.#at += FRAME_SAMPLES;
    this.#lastSoundMs = atMs;
    return true;
  }
}

/** Makes the last sound of a call when no words can be said any more: three falling notes. */
export function makeFarewell(): Int16Array {
  return makeNotes(FAREWELL_HZ, 2 * NOTE_MS);
}

/** Makes notes one after the other, each fading in and out, in whole frames. */
function makeNotes(frequenciesHz: number[], noteMs: number): Int16Array {
  const noteSamples = (noteMs * VOICE_RATE_HZ) / 1_000;
  const frames = Math.ceil((frequenciesHz.length * noteSamples) / FRAME_SAMPLES);
  const samples = new Int16Array(frames * FRAME_SAMPLES);
  for (const [note, hz] of frequenciesHz.entries()) {
    for (let i = 0; i < noteSamples; i++) {
      const loudness = AMPLITUDE * Math.sin((Math.PI * i) / noteSamples);
      samples[note * noteSamples + i] = loudness * Math.sin((2 * Math.PI * hz * i) / VOICE_RATE_HZ);
    }
  }
  return samples;
}
