import type { Heard } from "#src/audio/line/line.ts";
import type { CallClock } from "./call-clock.ts";

/** Longest time from the end of speech to the end of its turn (endpointing waits 1.5 s at most). */
const WORDS_MS = 1_800;
/** Longest time by which a wait exceeds its limit for a person who still speaks; then it ends with SILENCE. */
const LONGEST_TURN_MS = 60_000;

/** A wait for the person. */
interface Waiting {
  resolve(heard: Heard): void;
  cleanUp(): void;
  /** Call time at which the wait ends. */
  untilMs: number;
  /** Silence after the person's speech that ends the wait, even before their words arrive; null: words decide. */
  quietMs: number | null;
}

/** Input of the person that nobody has taken yet, and the wait for more. */
export class ListenQueue {
  readonly #clock: CallClock;
  readonly #isKeying: () => boolean;
  readonly #heard: Heard[] = [];
  #waiting: Waiting | undefined;
  /** Call time at which the person's last speech ended; null while they speak. */
  #speechEndedMs: number | null = Number.NEGATIVE_INFINITY;
  /** End of the call; every wait after the queued input returns it. */
  #end: Heard | undefined;

  /** `isKeying`: true while keys are collected that the person is typing. */
  constructor(clock: CallClock, isKeying: () => boolean) {
    this.#clock = clock;
    this.#isKeying = isKeying;
  }

  /** Returns the next input; waits for it as `Line.listen` says. */
  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal, quietMs?: number): Promise<Heard> {
    const ready = this.#heard.shift() ?? this.#end;
    if (ready) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const silence = () => this.interrupt();
      // Time passes with the samples; the wall clock only counts when none arrive any more.
      const timer = setTimeout(silence, 2 * timeoutMs + LONGEST_TURN_MS);
      const rouse = () => this.#rouse();
      signal.addEventListener("abort", silence, { once: true });
      wake?.addEventListener("abort", rouse, { once: true });
      const cleanUp = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", silence);
        wake?.removeEventListener("abort", rouse);
      };
      this.#waiting = { resolve, cleanUp, untilMs: this.#clock.elapsedMs() + timeoutMs, quietMs: quietMs ?? null };
      if (signal.aborted) silence();
      else if (wake?.aborted) rouse();
    });
  }

  /** Gives an input to the wait, or keeps it for the next one. */
  give(heard: Heard): void {
    if (this.#waiting) this.#settle(heard);
    else this.#heard.push(heard);
  }

  /** True while the person speaks. */
  get isHearing(): boolean {
    return this.#speechEndedMs === null;
  }

  /** Notes that the person has begun to speak. */
  startSpeech(): void {
    this.#speechEndedMs = null;
  }

  /** Notes that the person has stopped speaking; their words may still come. */
  endSpeech(): void {
    this.#speechEndedMs = this.#clock.mediaMs;
  }

  /**
   * Ends a wait with SILENCE once it is over. Speech and keys that began in time are heard to their end; noise ends
   * the wait no later than a turn would.
   */
  endSilence(): void {
    if (!this.#waiting) return;
    const { mediaMs } = this.#clock;
    const { quietMs, untilMs } = this.#waiting;
    const hasSpoken = this.#speechEndedMs !== Number.NEGATIVE_INFINITY;
    if (mediaMs < untilMs && (quietMs === null || !hasSpoken)) return;
    const isSpeaking = this.#speechEndedMs === null || mediaMs < this.#speechEndedMs + (quietMs ?? WORDS_MS);
    const isHearing = isSpeaking || this.#isKeying();
    if (isHearing && mediaMs < untilMs + LONGEST_TURN_MS) return;
    this.#settle({ kind: "SILENCE", endMs: mediaMs });
  }

  /** Ends a wait as if its time were over: a person who is speaking is heard to the end. */
  #rouse(): void {
    if (this.#waiting) this.#waiting.untilMs = Math.min(this.#waiting.untilMs, this.#clock.mediaMs);
    this.endSilence();
  }

  /** Ends a wait with SILENCE now. */
  interrupt(): void {
    this.#settle({ kind: "SILENCE", endMs: this.#clock.elapsedMs() });
  }

  /** Ends the wait, and every later one, because the call is over. */
  close(end: Heard): void {
    this.#end = end;
    this.#settle(end);
  }

  #settle(heard: Heard): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.cleanUp();
    waiting?.resolve(heard);
  }
}
