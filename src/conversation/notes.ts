/** Words of whoever supervises a talk, for the agent alone: it reads them at its next turn. They may end the talk, too. */
export class TalkNotes {
  readonly #waiting: string[] = [];
  readonly #end = new AbortController();

  /** Aborts when whoever supervises the talk wants it to end. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends the talk: nobody says goodbye. */
  end(): void {
    this.#end.abort();
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
