/** A pattern for any of the given whole words, in whatever script: plain \b sees no word in "är" and two in "qué". */
export function wholeWords(words: string, flags = "iu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, flags);
}

/** The words of a text, in lower case, with inner apostrophes and without hyphens between letters. */
export function toTokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];
}

const LONGEST_UTTERANCE = 2_000;

/** What was said, in one normal form: composed characters, plain apostrophes, single spaces. */
export function normalise(text: string): string {
  return text
    .slice(0, LONGEST_UTTERANCE)
    .normalize("NFC")
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The sentences of a text. */
export function toSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== "");
}

/** A table of number words, written as "one=1 two=2". */
export function toNumbers(words: string): Record<string, number> {
  return Object.fromEntries(
    words
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([word, value]) => [word, Number(value)]),
  );
}
