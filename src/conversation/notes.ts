/** Words of whoever supervises a talk, for the agent alone; it reads them at its next turn. */
export class TalkNotes {
  readonly #waiting: string[] = [];

  /** Adds a note. */
  add(text: string): void {
    this.#waiting.push(text);
  }

  /** Gives the notes that were not read yet, the oldest first, and forgets them. */
  take(): string[] {
    return this.#waiting.splice(0);
  }
}
