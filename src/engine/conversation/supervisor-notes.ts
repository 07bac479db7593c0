const HELD_NOTE =
  "A colleague of yours has spoken with the person meanwhile; you did not hear what they said. Go on from here, and ask if you are unsure what was agreed.";

/**
 * Notes of a supervisor for the agent alone, which it reads at its next turn. The supervisor may also hold the agent,
 * or end the session.
 */
export class SupervisorNotes {
  readonly #waiting: string[] = [];
  readonly #end = new AbortController();
  #release = new AbortController();
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
}
