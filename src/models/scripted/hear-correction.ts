import { accept, type Dialogue, type Item, sayAndAsk } from "./dialogue.ts";
import { understandAnswer } from "./understand/answer.ts";
import { toSentences } from "./words.ts";

/**
 * "No, I meant Tuesday": changes the last answer, or gives a new one to a question that was just asked again.
 * False when the text corrects nothing.
 */
export function hearCorrection(dialogue: Dialogue, text: string): boolean {
  const marker = dialogue.lexicon.explicitCorrection.exec(text);
  if (!marker) return false;
  const rest = trimStart(text.slice(marker.index + marker[0].length));
  if (rest === "") return false;
  const open = dialogue.items[dialogue.at];
  if (open && dialogue.misses > 0 && answers(dialogue, open, rest)) return true;
  const [first = "", ...others] = toSentences(rest);
  if (!replaceLast(dialogue, first) && !replaceLast(dialogue, rest))
    return open !== undefined && answers(dialogue, open, rest);
  const remainder = others.join(" ");
  if (open && remainder !== "" && answers(dialogue, open, remainder)) return true;
  sayAndAsk(dialogue, dialogue.lexicon.phrases.corrected);
  return true;
}

function answers(dialogue: Dialogue, open: Item, text: string): boolean {
  const value = understandAnswer(open.field, text, dialogue.lexicon, dialogue.calendar);
  if (value === undefined) return false;
  accept(dialogue, open, value);
  return true;
}

/** Puts what a text says in place of the last answer; false when it says nothing of that kind. */
export function replaceLast(dialogue: Dialogue, text: string): boolean {
  const last = dialogue.lastAnswered;
  if (!last) return false;
  const value = understandAnswer(last.field, trimStart(text), dialogue.lexicon, dialogue.calendar);
  if (value === undefined) return false;
  dialogue.answers.set(last, value);
  return true;
}

function trimStart(text: string): string {
  return text.replace(/^[\s,.;:!-]+/, "");
}
