const HELD_NOTE =
  "A colleague of yours has spoken with the person meanwhile; you did not hear what they said. Go on from here, and ask if you are unsure what was agreed.";

/**
 * Notes of a supervisor for the agent alone, which it reads at its next turn. The supervisor may also hold the agent,
 * or end the session.
 */
export class SupervisorNotes {
  readonly #waiting: string[] = [];
  readonly #end = new AbortController();
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

  /** Holds the agent from its next turn on, until the returned function is called. */
  hold(): () => void {
    this.#holders++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#holders--;
      if (this.#holders === 0) this.add(HELD_NOTE);
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
