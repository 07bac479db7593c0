/**
 * A letter or digit within a pattern. It is written so because patterns are made at each start: without the "i" flag, and
 * with a property that V8 need not gather from categories, one is made a hundred times as fast.
 */
const IN_WORD = "(?-i:\\p{Alphabetic}|\\d)";

/**
 * Returns a pattern for any of the given whole words in any script: plain \b finds no word in "är" and two in "qué".
 */
export function wholeWords(words: string, flags = "iu"): RegExp {
  return new RegExp(`(?<!${IN_WORD})(?:${words})(?!${IN_WORD})`, flags);
}

/** Returns the words of a text, in lower case, with inner apostrophes and without hyphens between letters. */
export function toTokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];
}

const LONGEST_UTTERANCE = 2_000;

/** Matches terminal commands, control characters, bidirectional marks and lone surrogates. */
const UNSPOKEN = /\p{Cc}\[[\d;]*[A-Za-z]|(?!\s)[\p{Cc}\p{Cs}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** Returns an utterance in one normal form: composed characters, plain apostrophes, single spaces. */
export function normalise(text: string): string {
  return text
    .slice(0, LONGEST_UTTERANCE)
    .normalize("NFC")
    .replaceAll(UNSPOKEN, "")
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Splits a text into sentences; "6 p.m." and "J. Smith" end none. */
export function toSentences(text: string): string[] {
  return text.split(/(?<=[.!?])(?<![\s.]\p{L}\.)\s+/u).filter((sentence) => sentence !== "");
}

/** Parses a table of number words, written as "one=1 two=2". */
export function toNumbers(words: string): Record<string, number> {
  return Object.fromEntries(
    words
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([word, value]) => [word, Number(value)]),
  );
}

const STEM_LETTERS = 5;
const MIN_STEM_LETTERS = 4;
/** Longer words that carry no meaning of a question. */
const EMPTY_WORDS = new Set(
  (
    "quick question questions would like what which when where with your have much many will want please could there about does this that from " +
    "were they their them been being some into tell know need haben hast sind sein ihre ihren ihnen bitte möchten welche " +
    "welcher welches welchen wann viel viele können para como cuando cual cuál donde dónde usted quiere tiene desea vous " +
    "votre avez quel quelle quand comment pour dans avec voulez skulle vilken vilket vilka hur många vill kommer"
  ).split(" "),
);

/** Returns the beginnings of the longer words of a text, for a comparison of two texts by subject. */
export function stemsOf(text: string): Set<string> {
  return new Set(
    toTokens(text)
      .filter((word) => word.length >= MIN_STEM_LETTERS && !EMPTY_WORDS.has(word))
      .map((word) => word.slice(0, STEM_LETTERS)),
  );
}
