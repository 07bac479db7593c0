/** Words of a turn. STT may still correct them while they are not final. */
export interface TurnWords {
  text: string;
  isFinal: boolean;
  startMs: number;
  endMs: number;
}

/** The person's last turn, until its words are final. */
export class LastTurn {
  #words: TurnWords = { text: "", isFinal: true, startMs: 0, endMs: 0 };
  #onFinal: (() => void) | undefined;

  /** Final words of the turn; null while they may change. */
  get finalText(): string | null {
    return this.#words.isFinal ? this.#words.text : null;
  }

  /** Takes the words of a new turn. */
  begin({ text, isFinal, startMs, endMs }: TurnWords): void {
    this.#words = { text, isFinal, startMs, endMs };
  }

  /** Takes the final words. Returns the turn when it had counted as one without words, null otherwise. */
  confirm(text: string): Omit<TurnWords, "isFinal"> | null {
    const { text: before, startMs, endMs } = this.#words;
    this.#words = { text, isFinal: true, startMs, endMs };
    this.#onFinal?.();
    return before === "" && text !== "" ? { text, startMs, endMs } : null;
  }

  /** Takes the final words of a person who has left. Returns the turn when it had ended with others. */
  complete(text: string): Omit<TurnWords, "isFinal"> | null {
    const { text: before, startMs, endMs } = this.#words;
    this.confirm(text);
    const plain = toPlainText(text);
    return plain === "" || plain === toPlainText(before) ? null : { text, startMs, endMs };
  }

  /** Waits until the words are final, at most `timeoutMs` or until the signal aborts. */
  async waitUntilFinal(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#words.isFinal || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onFinal = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener("abort", () => this.#onFinal?.(), { once: true });
    });
    this.#onFinal = undefined;
  }
}

/** Returns the words of a text, without case and punctuation, which STT adds to final words. */
function toPlainText(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}
