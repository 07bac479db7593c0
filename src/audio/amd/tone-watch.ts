import { FRAME_MS } from "#src/audio/codec/frame.ts";
import { ToneMeter } from "#src/audio/tones/tone-meter.ts";

/** A tone that has ended. */
export interface ToneSegment {
  startMs: number;
  endMs: number;
  hz: number;
}

/** Greatest difference in frequency between frames of one tone. */
const SAME_HZ = 40;
/** Longest gap within one tone, where a packet was lost. */
const GAP_MS = 40;

/** Follows single tones: the one that sounds, and the last few that have ended. */
export class ToneWatch {
  readonly meter = new ToneMeter();
  /** Tones that have ended, the latest last. */
  readonly ended: ToneSegment[] = [];
  /** Frequency of the tone that sounds; 0 for none. */
  hz = 0;
  startMs = 0;
  endMs = 0;

  /** Takes the next frame; true when a tone of at least 80 ms has just ended. */
  hear(samples: Int16Array, atMs: number): boolean {
    this.meter.hear(samples);
    const { frequencyHz } = this.meter;
    if (frequencyHz > 0 && this.hz > 0 && Math.abs(frequencyHz - this.hz) < SAME_HZ) {
      this.hz += (frequencyHz - this.hz) * 0.2;
      this.endMs = atMs;
      return false;
    }
    const isOver = this.hz > 0 && (frequencyHz > 0 || atMs - this.endMs > GAP_MS);
    const hasEnded = isOver && this.#keep();
    if (frequencyHz > 0) this.#start(frequencyHz, atMs);
    return hasEnded;
  }

  /** Milliseconds that the sounding tone has lasted; 0 for none. */
  get lengthMs(): number {
    return this.hz > 0 ? this.endMs - this.startMs : 0;
  }

  #start(hz: number, atMs: number): void {
    this.hz = hz;
    this.startMs = atMs - FRAME_MS;
    this.endMs = atMs;
  }

  #keep(): boolean {
    const isTone = this.endMs - this.startMs >= 80;
    if (isTone) {
      this.ended.push({ startMs: this.startMs, endMs: this.endMs, hz: this.hz });
      if (this.ended.length > 4) this.ended.shift();
    }
    this.hz = 0;
    return isTone;
  }
}
