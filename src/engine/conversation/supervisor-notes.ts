const HELD_NOTE =
  "A colleague of yours has spoken with the person meanwhile; you did not hear what they said. Go on from here, and ask if you are unsure what was agreed.";
/** Texts of supervisors that may wait to be said. */
const MOST_WORDS = 10;

/**
 * Notes of a supervisor for the agent alone, which it reads at its next turn, and words that it says for them. The
 * supervisor may also hold the agent, or end the session.
 */
export class SupervisorNotes {
  readonly #waiting: string[] = [];
  readonly #words: string[] = [];
  readonly #end = new AbortController();
  #release = new AbortController();
  #hasWords = new AbortController();
  #holders = 0;

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

  /** Aborts when words wait to be said. */
  get hasWords(): AbortSignal {
    return this.#hasWords.signal;
  }

  /**
   * Holds the agent from its next turn on, until the returned function is called. After a hold during which the person
   * spoke, the agent goes on by itself.
   */
  hold(): () => void {
    if (this.#holders++ === 0) this.#release = new AbortController();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holders--;
      if (this.#holders > 0) return;
      this.add(HELD_NOTE);
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
    this.#hasWords.abort();
    return true;
  }

  /** Returns the words that wait to be said, the oldest first, and clears them. */
  takeWords(): string[] {
    if (this.#words.length > 0) this.#hasWords = new AbortController();
    return this.#words.splice(0);
  }
}
