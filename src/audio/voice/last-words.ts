import type { SpeechEvent } from "#src/audio/stt/stt.ts";

/** Longest waits for the words of a person who has left, in wall-clock milliseconds; STT seldom takes longer. */
const LONGEST_WAIT_MS = 4_000;
/** For STT that streams: most of its words are known, and the last of them come within half a second. */
const LONGEST_REST_MS = 1_500;

/**
 * Words that STT still owes. STT of single utterances returns them only after the pause, so those of a person who hangs
 * up right after them come late. STT that streams owes the end of what it has returned in part.
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

  /** Calls `onSettled` once nothing is owed, or after some seconds; at once when nothing is owed now. */
  wait(onSettled: () => void): void {
    if (this.#owed === 0) return onSettled();
    this.#onSettled = onSettled;
    this.#timer = setTimeout(() => this.stop(), this.#hasPartials ? LONGEST_REST_MS : LONGEST_WAIT_MS);
  }

  /** Ends the wait. */
  stop(): void {
    clearTimeout(this.#timer);
    const onSettled = this.#onSettled;
    this.#onSettled = undefined;
    onSettled?.();
  }
}
