const HELD_NOTE =
  "A colleague of yours has spoken with the person meanwhile; you did not hear what they said. Go on from here, and ask if you are unsure what was agreed.";
const HEARD_NOTE =
  "A colleague of yours has spoken with the person meanwhile. You have read what they said, as far as it was understood. Go on from here.";
/** Texts of supervisors that may wait to be said. */
const MOST_WORDS = 10;

/** Words that a supervisor said to the person, in milliseconds of call time. */
export interface SpokenBySupervisor {
  text: string;
  startMs: number;
  endMs: number;
}

/**
 * Notes of a supervisor for the agent alone, which it reads at its next turn, words that it says for them, and what
 * they said themselves. The supervisor may also hold the agent, or end the session.
 */
export class SupervisorNotes {
  readonly #waiting: string[] = [];
  readonly #words: string[] = [];
  readonly #spoken: SpokenBySupervisor[] = [];
  readonly #end = new AbortController();
  #release = new AbortController();
  #wake = new AbortController();
  #holders = 0;
  #isHeard = false;

  /** Aborts when the supervisor ends the session. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends the session without a goodbye. */
  end(): void {
    this.#end.abort();
  }

  /** True while a supervisor speaks with the person in the agent's place: the agent hears them and says nothing. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  /** Aborts when the supervisor who holds the agent hands the person back. */
  get released(): AbortSignal {
    return this.#release.signal;
  }

  /** Aborts when words of a supervisor wait to be said or to be recorded. */
  get wake(): AbortSignal {
    return this.#wake.signal;
  }

  /** True when words wait to be said. */
  get hasWords(): boolean {
    return this.#words.length > 0;
  }

  /**
   * Holds the agent from its next turn on, until the returned function is called. After a hold during which the person
   * spoke, the agent goes on by itself.
   */
  hold(): () => void {
    if (this.#holders++ === 0) {
      this.#release = new AbortController();
      this.#isHeard = false;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holders--;
      if (this.#holders > 0) return;
      this.add(this.#isHeard ? HEARD_NOTE : HELD_NOTE);
      this.#release.abort();
    };
  }

  /** Adds a note. */
  add(text: string): void {
    this.#waiting.push(text);
  }

  /** Returns the unread notes, the oldest first, and clears them. */
  take(): string[] {
    return this.#waiting.splice(0);
  }

  /** Adds words that the agent's voice says next; false when too many wait already. */
  say(text: string): boolean {
    if (this.#words.length >= MOST_WORDS) return false;
    this.#words.push(text);
    this.#wake.abort();
    return true;
  }

  /** Returns the words that wait to be said, the oldest first, and clears them. */
  takeWords(): string[] {
    return this.#take(this.#words);
  }

  /** Adds what a supervisor said to the person themselves. */
  addSpoken(words: SpokenBySupervisor): void {
    this.#isHeard = true;
    this.#spoken.push(words);
    this.#wake.abort();
  }

  /** Returns what supervisors said since it was last asked, the oldest first. */
  takeSpoken(): SpokenBySupervisor[] {
    return this.#take(this.#spoken);
  }

  #take<Item>(items: Item[]): Item[] {
    const taken = items.splice(0);
    if (this.#wake.signal.aborted && this.#words.length + this.#spoken.length === 0) this.#wake = new AbortController();
    return taken;
  }
}
