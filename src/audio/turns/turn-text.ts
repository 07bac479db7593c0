import { toPlainWords, type TurnWords } from "./turn-words.ts";

/** State of a text at a pause. */
export type TextState = "EMPTY" | "COMPLETE" | "NEUTRAL" | "UNFINISHED" | "HALF_NUMBER";

/**
 * Digits at a text's end from which a number has begun (said one by one, or written), may be complete, and is complete.
 */
const DIGITS = { said: 2, written: 3, enough: 7, whole: 10 };

/**
 * Judges the text up to a pause: unfinished sentence, half a number, or complete? A full stop after "um" or "and" is
 * ignored, because STT puts one at every pause.
 */
export function judgeText(text: string, words: TurnWords): TextState {
  const plain = toPlainWords(text);
  const last = plain.at(-1);
  if (last === undefined) return "EMPTY";
  if (words.answers.has(plain.join(" "))) return "COMPLETE";
  if (words.fillers.has(last)) return "UNFINISHED";
  const digits = countLastDigits(plain, words);
  if (digits.count >= DIGITS.whole) return "COMPLETE";
  if (digits.count >= DIGITS.enough) return "NEUTRAL";
  if (digits.count >= (digits.written ? DIGITS.written : DIGITS.said)) return "HALF_NUMBER";
  if (words.openers.has(last)) return "UNFINISHED";
  const end = text.trimEnd();
  if (/(?:[,;:–—-]|\.\.\.|…)$/.test(end)) return "UNFINISHED";
  return /[.?!]$/.test(end) ? "COMPLETE" : "NEUTRAL";
}

/** True when a text is only a backchannel ("I am listening"): up to three such words. */
export function isBackchannel(text: string, words: TurnWords): boolean {
  const plain = toPlainWords(text);
  return plain.length > 0 && plain.length <= 3 && plain.every((word) => words.backchannels.has(word));
}

/** Most words of a greeting. */
const MAX_GREETING_WORDS = 6;

/**
 * True when a text is only what people say who pick up the phone: a greeting, "yes?", their name. `names` are plain
 * words. The last word of a text that is not final may be the beginning of one.
 */
export function isGreeting(text: string, isFinal: boolean, words: TurnWords, names: ReadonlySet<string>): boolean {
  const plain = toPlainWords(text);
  if (plain.length === 0 || plain.length > MAX_GREETING_WORDS) return false;
  const known = [words.greetings, words.backchannels, names];
  const isOne = (word: string) => known.some((list) => list.has(word));
  const last = plain.at(-1) as string;
  const isBegun = !isFinal && known.some((list) => list.values().some((word) => word.startsWith(last)));
  return plain.slice(0, -1).every(isOne) && (isOne(last) || isBegun);
}

/** Counts the digits at the text's end. A single group of two or four is an amount or a year, not part of a number. */
function countLastDigits(plain: string[], words: TurnWords): { count: number; written: boolean } {
  let count = 0;
  let groups = 0;
  let written = false;
  for (let at = plain.length - 1; at >= 0; at--) {
    const word = plain[at] as string;
    const isWritten = /^\d+$/.test(word);
    if (!isWritten && !words.digits.has(word)) break;
    count += isWritten ? word.length : 1;
    written ||= isWritten && word.length > 1;
    groups++;
  }
  if (written && groups === 1 && (count === 2 || count === 4)) return { count: 1, written };
  return { count, written };
}
