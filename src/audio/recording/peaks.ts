import { measureMagnitude } from "#src/audio/codec/frame-codec.ts";
import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/** Peaks of a waveform per second. */
export const PEAKS_PER_SECOND = 10;
const PEAK_SAMPLES = VOICE_RATE_HZ / PEAKS_PER_SECOND;
const FIRST_CAPACITY = 60 * PEAKS_PER_SECOND;

/** The waveform of one channel, for drawing: the loudest sample in every tenth of a second, as 0 to 255. */
export class PeakMeter {
  #peaks = new Uint8Array(FIRST_CAPACITY);
  #count = 0;

  /** Number of samples from `position` on that belong to the same peak. */
  static samplesLeft(position: number): number {
    return PEAK_SAMPLES - (position % PEAK_SAMPLES);
  }

  /** Takes the samples from `from` on, the first of which has the number `position` in the call. */
  add(position: number, samples: Int16Array, from: number, count: number): void {
    for (let done = 0; done < count;) {
      const start = position + done;
      const end = Math.min(count, done + PeakMeter.samplesLeft(start));
      let loudest = 0;
      for (; done < end; done++) loudest = Math.max(loudest, measureMagnitude(samples[from + done] as number));
      this.addLoudest(start, loudest);
    }
  }

  /** Takes the loudest magnitude of samples that belong to the peak at `position`. */
  addLoudest(position: number, loudest: number): void {
    this.#raise(Math.floor(position / PEAK_SAMPLES), loudest >> 7);
  }

  /** Returns the peaks up to `samples` samples of the call, or to the last sound. */
  read(samples = 0): Uint8Array {
    const count = Math.max(this.#count, Math.ceil(samples / PEAK_SAMPLES));
    const peaks = new Uint8Array(count);
    peaks.set(this.#peaks.subarray(0, Math.min(count, this.#count)));
    return peaks;
  }

  #raise(peak: number, level: number): void {
    if (peak >= this.#peaks.length) {
      const grown = new Uint8Array(Math.max(peak + 1, this.#peaks.length * 2));
      grown.set(this.#peaks);
      this.#peaks = grown;
    }
    this.#count = Math.max(this.#count, peak + 1);
    if (level > (this.#peaks[peak] as number)) this.#peaks[peak] = level;
  }
}
