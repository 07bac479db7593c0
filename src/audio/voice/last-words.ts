import type { SpeechEvent } from "#src/audio/stt/stt.ts";

/** Longest wait for the words of a person who has left, in wall-clock milliseconds; STT seldom takes longer. */
const LONGEST_WAIT_MS = 4_000;

/**
 * Words that STT still owes. STT of single utterances returns them only after the pause, so those of a person who hangs
 * up right after them come late. STT that has returned partial words owes nothing: the turn ended with those.
 */
export class LastWords {
  #owed = 0;
  #hasPartials = false;
  #timer: NodeJS.Timeout | undefined;
  #onSettled: (() => void) | undefined;

  /** Notes that STT was asked for the words of the speech so far. */
  ask(): void {
    this.#owed++;
  }

  /** Takes an event of STT. */
  take({ kind }: SpeechEvent): void {
    if (kind === "PARTIAL") this.#hasPartials = true;
    if (kind === "FAILED") this.#owed = 0;
    if (kind === "FINAL") this.#owed = Math.max(0, this.#owed - 1);
    if (this.#owed === 0) this.stop();
  }

  /** Calls `onSettled` once nothing is owed, or after four seconds; at once when nothing is owed now. */
  wait(onSettled: () => void): void {
    if (this.#owed === 0 || this.#hasPartials) return onSettled();
    this.#onSettled = onSettled;
    this.#timer = setTimeout(() => this.stop(), LONGEST_WAIT_MS);
  }

  /** Ends the wait. */
  stop(): void {
    clearTimeout(this.#timer);
    const onSettled = this.#onSettled;
    this.#onSettled = undefined;
    onSettled?.();
  }
}
