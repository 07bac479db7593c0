import { foldWord, readWords } from "./words.ts";

// Ten digits in each language; a digit with two words lists both, and stand-ins use the first.
const DIGITS = [
  "zero/oh one two three four five six seven eight nine",
  "cero uno dos tres cuatro cinco seis siete ocho nueve",
  "null eins zwei/zwo drei vier funf sechs sieben acht neun",
  "zero un/une deux trois quatre cinq six sept huit neuf",
  "noll ett/en tva tre fyra fem sex sju atta nio",
].map((line) => line.split(" ").map((words) => words.split("/")));
const WRITTEN: Record<string, string> = { funf: "fünf", tva: "två", atta: "åtta" };
/** Words that repeat the digit after them. */
const TIMES = new Map([
  ...["double", "doble", "doppelt", "dubbel"].map((word) => [word, 2] as const),
  ...["triple", "treble", "trippel"].map((word) => [word, 3] as const),
]);
/** The shortest run of digits that counts: shorter ones are quantities, not numbers that belong to somebody. */
const SHORTEST_RUN = 5;

/** A number spoken digit by digit. */
export interface SpokenDigits {
  start: number;
  end: number;
  digits: string;
  /** Writes other digits in the same words. */
  write: (digits: string) => string;
}

/** Returns the numbers of a text that are written as digit words, in one of five languages. */
export function findSpokenDigits(text: string): SpokenDigits[] {
  const words = readWords(text);
  const found: SpokenDigits[] = [];
  for (let at = 0; at < words.length; at++) {
    const runs = DIGITS.map((language) => ({ language, ...readRun(words.slice(at, at + 40), language) }));
    const [longest] = runs.sort((a, b) => b.digits.length - a.digits.length);
    if (!longest || longest.digits.length < SHORTEST_RUN) continue;
    const [first, last] = [words[at], words[at + longest.words - 1]];
    if (!first || !last) continue;
    found.push({
      start: first.start,
      end: last.end,
      digits: longest.digits,
      write: (digits) => Array.from(digits, (digit) => wordOf(longest.language, digit)).join(" "),
    });
    at += longest.words - 1;
  }
  return found;
}

/** Returns the digits at the start of these words, and the number of words that they take. */
function readRun(words: { folded: string }[], language: string[][]): { digits: string; words: number } {
  let digits = "";
  let at = 0;
  while (at < words.length) {
    const times = TIMES.get(words[at]?.folded ?? "") ?? 1;
    const said = foldWord(words[times === 1 ? at : at + 1]?.folded ?? "");
    const digit = language.findIndex((spellings) => spellings.includes(said));
    if (digit < 0) break;
    digits += String(digit).repeat(times);
    at += times === 1 ? 1 : 2;
  }
  return { digits, words: at };
}

function wordOf(language: string[][], digit: string): string {
  const word = language[Number(digit)]?.[0] ?? digit;
  return WRITTEN[word] ?? word;
}
