import type { Person } from "./person.ts";
import { type SettledReaction, speak } from "./reaction.ts";

const FIRST_MS = 60_000;
const MOST_DOUBLINGS = 10;
const LONGEST_TEXT_CHARACTERS = 1_500;
const INTERRUPTS_AFTER = 0.7;

/** A person who does not stop talking: every monologue is twice as long as the one before, so any limit is reached. */
export class Ramble {
  readonly #person: Person;
  #count = 0;
  #lastTurn = 0;

  constructor(person: Person) {
    this.#person = person;
  }

  /** Returns the next monologue; within the same turn, the same one again. */
  goOn(turn: number | null): SettledReaction {
    if (turn !== null && turn === this.#lastTurn) this.#count--;
    this.#lastTurn = turn ?? this.#lastTurn;
    const durationMs = FIRST_MS * 2 ** Math.min(this.#count++, MOST_DOUBLINGS);
    const sentence = `${this.#person.phrase("rambling")} `;
    const count = Math.floor(Math.min(LONGEST_TEXT_CHARACTERS, (durationMs / 1000) * 15) / sentence.length);
    const text = sentence.repeat(Math.max(1, count)).trim();
    return speak(text, { delayMs: 0, durationMs, interruptsAfterFraction: INTERRUPTS_AFTER });
  }
}
