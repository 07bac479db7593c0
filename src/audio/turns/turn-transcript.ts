import { toPlainWords } from "./turn-words.ts";

/** Words of the open turn, and those of the turn before that are not final yet. */
export class TurnTranscript {
  #final = "";
  #partial = "";
  /** Words of the ended turn that STT had not made final; null when it had, or when they are settled. */
  #unsettled: { before: string; words: string[] } | null = null;

  /** All words of the open turn so far. */
  get text(): string {
    return join(this.#final, this.#partial);
  }

  get isFinal(): boolean {
    return this.#partial === "";
  }

  /**
   * Takes words that may change; true when the text changed. `isNewSpeech`: there was speech since the last turn ended.
   */
  hearPartial(text: string, isNewSpeech: boolean): boolean {
    if (this.#unsettled && !isNewSpeech) return false;
    const partial = this.#unsettled ? withoutStart(text, this.#unsettled.words) : text.trim();
    if (partial === this.#partial) return false;
    this.#partial = partial;
    return true;
  }

  /** Takes final words. Returns the whole text of the turn before when they settle it, else null. */
  hearFinal(text: string, isNewSpeech: boolean): string | null {
    const unsettled = this.#unsettled;
    this.#unsettled = null;
    this.#partial = "";
    if (!unsettled) {
      this.#final = join(this.#final, text);
      return null;
    }
    const rest = isNewSpeech ? withoutStart(text, unsettled.words) : "";
    const isOnlyNew = isNewSpeech && rest === text.trim();
    if (rest !== "") this.#final = join(this.#final, rest);
    const settled = isOnlyNew ? unsettled.words.join(" ") : text.trim().slice(0, text.trim().length - rest.length);
    return join(unsettled.before, settled);
  }

  /** Ends the turn; its words that are not final are expected from here on. */
  endTurn(): void {
    this.#unsettled = this.isFinal ? null : { before: this.#final, words: toPlainWords(this.#partial) };
    this.#final = "";
    this.#partial = "";
  }
}

function join(before: string, after: string): string {
  return before === "" || after === "" ? (before + after).trim() : `${before.trim()} ${after.trim()}`;
}

/** Returns a text without the words it begins with; the whole text when it begins otherwise. */
function withoutStart(text: string, words: string[]): string {
  const parts = text.trim().split(/\s+/);
  let at = 0;
  let matched = 0;
  for (; at < parts.length && matched < words.length; at++) {
    for (const word of toPlainWords(parts[at] as string)) {
      if (word !== words[matched]) return text.trim();
      matched++;
    }
  }
  return parts.slice(at).join(" ");
}
