const HELD_NOTE =
  "A colleague of yours has spoken with the person meanwhile; you did not hear what they said. Go on from here, and ask if you are unsure what was agreed.";

/** Words of whoever supervises a talk, for the agent alone: it reads them at its next turn. They may hold its agent, and end the talk, too. */
export class SupervisorNotes {
  readonly #waiting: string[] = [];
  readonly #end = new AbortController();
  #holders = 0;

  /** Aborts when whoever supervises the talk wants it to end. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends the talk: nobody says goodbye. */
  end(): void {
    this.#end.abort();
  }

  /** True while somebody talks with the person in the agent's place: it hears them, and says nothing. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  /** Keeps the agent from its next turn on, until the function that is given is called. */
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

  /** Gives the notes that were not read yet, the oldest first, and forgets them. */
  take(): string[] {
    return this.#waiting.splice(0);
  }
}
