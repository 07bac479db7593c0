import { accept, type Dialogue, type Item, sayAndAsk } from "./dialogue.ts";
import { understandAnswer } from "./understand/answer.ts";
import { stemsOf, toSentences } from "./words.ts";

/**
 * Processes a correction such as "No, I meant Tuesday": it changes an earlier answer, or answers a question that was
 * just asked again. Returns false when the text corrects nothing.
 */
export function hearCorrection(dialogue: Dialogue, text: string): boolean {
  const marker = dialogue.lexicon.explicitCorrection.exec(text);
  if (!marker) return false;
  const rest = trimStart(text.slice(marker.index + marker[0].length));
  if (rest === "" || (dialogue.answers.size === 0 && dialogue.misses === 0)) return false;
  const open = dialogue.items[dialogue.at];
  if (open && dialogue.misses > 0 && answers(dialogue, open, rest)) return true;
  const [first = "", ...others] = toSentences(rest);
  const isCorrected = replaceNamed(dialogue, text, rest) || replaceLast(dialogue, first) || replaceLast(dialogue, rest);
  if (!isCorrected) {
    if (open && answers(dialogue, open, rest)) return true;
    if (!replaceOlder(dialogue, rest)) return false;
  }
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

/** Replaces the answer that a text is about: one that it names, the last one, or one of its kind. */
export function replaceAny(dialogue: Dialogue, text: string): boolean {
  return replaceNamed(dialogue, text, text) || replaceLast(dialogue, text) || replaceOlder(dialogue, text);
}

/** Replaces an answer by its name: "The number of people should be four", two questions later. */
function replaceNamed(dialogue: Dialogue, text: string, said: string): boolean {
  const stems = stemsOf(text);
  const isAbout = ({ field }: Item): boolean =>
    [...stemsOf(`${field.about} ${field.path.join(" ")}`)].some((stem) => stems.has(stem));
  const named = [...dialogue.answers.keys()].filter((item) => isPlain(item) && isAbout(item));
  return named.toReversed().some((item) => replace(dialogue, item, said));
}

function replaceLast(dialogue: Dialogue, text: string): boolean {
  return dialogue.lastAnswered !== undefined && replace(dialogue, dialogue.lastAnswered, text);
}

/** Replaces the latest answer of a matching kind: a day by a day, a number by a number. */
function replaceOlder(dialogue: Dialogue, text: string): boolean {
  const older = [...dialogue.answers.keys()].filter((item) => isPlain(item) && item.field.kind !== "BOOLEAN");
  return older.toReversed().some((item) => replace(dialogue, item, text));
}

/** True for a kind that does not take any words. */
function isPlain({ field }: Item): boolean {
  return field.kind !== "TEXT" && field.kind !== "LIST";
}

function replace(dialogue: Dialogue, item: Item, text: string): boolean {
  const value = understandAnswer(item.field, trimStart(text), dialogue.lexicon, dialogue.calendar);
  if (value === undefined) return false;
  dialogue.answers.set(item, value);
  return true;
}

function trimStart(text: string): string {
  return text.replace(/^[\s,.;:!-]+/, "");
}
