import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";

/** Outcome of an utterance once no more of it will be played. */
export interface PlayedUtterance {
  id: number;
  /** Share of it that was played, from 0 to 1; an estimate when its synthesis was incomplete. */
  fraction: number;
  /** True when it was cleared before its end. */
  cut: boolean;
  /** In samples of the call's clock. */
  startedAt: number;
  endedAt: number;
}

/** Estimated share of an incomplete utterance that is queued. */
const UNKNOWN_SHARE = 0.5;

interface Utterance {
  id: number;
  pieces: Int16Array[];
  queued: number;
  played: number;
  isComplete: boolean;
  startedAt: number;
}

/**
 * Playout of a call: utterances in their order, each in pieces as they are synthesised. Returns 20 ms at a time; late
 * speech leaves silence, and nothing is skipped.
 */
export class Playout {
  readonly #utterances: Utterance[] = [];
  readonly #onPlayed: (played: PlayedUtterance) => void;
  #offset = 0;
  #isPaused = false;

  constructor(onPlayed: (played: PlayedUtterance) => void) {
    this.#onPlayed = onPlayed;
  }

  /** True while an utterance is playing or its samples are still to come. */
  get isBusy(): boolean {
    return this.#utterances.length > 0;
  }

  /** True while speech is audible. */
  get isSpeaking(): boolean {
    const [first] = this.#utterances;
    return first !== undefined && !this.#isPaused && first.pieces.length > 0;
  }

  /** Adds an utterance; its samples follow. */
  begin(id: number): void {
    this.#utterances.push({ id, pieces: [], queued: 0, played: 0, isComplete: false, startedAt: -1 });
  }

  /** Adds samples of an utterance; those of a cleared one are ignored. */
  add(id: number, samples: Int16Array): void {
    const utterance = this.#utterances.find((one) => one.id === id);
    if (!utterance || samples.length === 0) return;
    utterance.pieces.push(samples);
    utterance.queued += samples.length;
  }

  /** Marks an utterance as complete: no more samples follow. */
  complete(id: number): void {
    const utterance = this.#utterances.find((one) => one.id === id);
    if (utterance) utterance.isComplete = true;
  }

  /** Pauses the speech, because someone talks over it. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Resumes where it was paused. */
  resume(): void {
    this.#isPaused = false;
  }

  /** Drops everything that was not played. */
  clear(now: number): void {
    this.#isPaused = false;
    this.#offset = 0;
    for (const utterance of this.#utterances.splice(0)) this.#report(utterance, now, true);
  }

  /** Fills 20 ms, with silence where there is nothing. `now` is the call's clock in samples. */
  read(frame: Int16Array, now: number): void {
    let filled = 0;
    while (filled < FRAME_SAMPLES && !this.#isPaused) {
      const utterance = this.#utterances[0];
      if (!utterance) break;
      const piece = utterance.pieces[0];
      if (!piece) {
        if (!utterance.isComplete) break;
        this.#utterances.shift();
        this.#report(utterance, now + filled, false);
        continue;
      }
      if (utterance.startedAt < 0) utterance.startedAt = now + filled;
      filled += this.#copy(utterance, piece, frame, filled);
    }
    frame.fill(0, filled);
  }

  #copy(utterance: Utterance, piece: Int16Array, frame: Int16Array, at: number): number {
    const count = Math.min(FRAME_SAMPLES - at, piece.length - this.#offset);
    for (let i = 0; i < count; i++) frame[at + i] = piece[this.#offset + i] ?? 0;
    this.#offset += count;
    utterance.played += count;
    if (this.#offset >= piece.length) {
      utterance.pieces.shift();
      this.#offset = 0;
    }
    return count;
  }

  #report({ id, queued, played, isComplete, startedAt }: Utterance, now: number, cut: boolean): void {
    const total = isComplete ? queued : queued / UNKNOWN_SHARE;
    const fraction = total === 0 ? (cut ? 0 : 1) : Math.min(1, played / total);
    this.#onPlayed({ id, fraction, cut, startedAt: startedAt < 0 ? now : startedAt, endedAt: now });
  }
}
