const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Removes a model's thoughts from its streamed text: servers without a reasoning parser send them in front of the
 * answer, between <think> and </think>.
 */
export class VisibleText {
  #state: "START" | "THINKING" | "ANSWER" = "START";
  #held = "";

  /** Adds text and returns the part that may be shown. */
  add(text: string): string {
    if (this.#state === "ANSWER") return text;
    this.#held += text;
    if (this.#state === "START") {
      const begun = this.#held.trimStart();
      if (OPEN.startsWith(begun.slice(0, OPEN.length)) && begun.length < OPEN.length) return "";
      this.#state = begun.startsWith(OPEN) ? "THINKING" : "ANSWER";
    }
    if (this.#state === "THINKING") {
      const end = this.#held.indexOf(CLOSE);
      if (end < 0) return "";
      this.#held = this.#held.slice(end + CLOSE.length).trimStart();
      this.#state = "ANSWER";
    }
    return this.end();
  }

  /** Returns the text that was held back at the end of the stream: the beginning of a tag that was never completed. */
  end(): string {
    const held = this.#state === "THINKING" ? "" : this.#held;
    this.#held = "";
    return held;
  }
}

/**
 * Returns a complete answer without the thoughts in front of it, also where the chat template swallowed the opening
 * tag.
 */
export function withoutThoughts(text: string): string {
  return text.slice(text.lastIndexOf(CLOSE) < 0 ? 0 : text.lastIndexOf(CLOSE) + CLOSE.length);
}
