import type { Spoken } from "#src/audio/line/line.ts";

type Greeting = NonNullable<Spoken["greetings"]>[number];

/** Greetings at the pick-up whose words arrived when we were already speaking. Our first words answer them. */
export class PickupGreetings {
  #greetings: Greeting[] = [];
  #firstSoundMs = Number.POSITIVE_INFINITY;

  /** Notes a sound of ours. */
  noteSound(startMs: number): void {
    this.#firstSoundMs = Math.min(this.#firstSoundMs, startMs);
  }

  /** True for a greeting that was over before our first sound. */
  isBeforeFirstSound({ endMs }: Greeting): boolean {
    return endMs <= this.#firstSoundMs;
  }

  /** Adds a greeting that needs no answer of its own. */
  add({ text, startMs, endMs }: Greeting): void {
    this.#greetings.push({ text, startMs, endMs });
  }

  /** Removes and returns the greetings so far. */
  take(): Greeting[] {
    return this.#greetings.splice(0);
  }
}
