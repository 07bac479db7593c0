const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", ø: "o", ł: "l", ı: "i", œ: "oe", đ: "d" };
const LONGEST_UTTERANCE = 2_000;

/**
 * Folds an utterance to plain words: lower case, no accents, one space between words, and only the marks . , ! ?
 * between them. STT output and typed text without accents then match the same patterns.
 */
export function fold(text: string): string {
  return text
    .slice(0, LONGEST_UTTERANCE)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßæøłıœđ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[;:\n¿¡…]/g, ",")
    .replaceAll(/[^a-z0-9.,!?]+/g, " ")
    .replaceAll(/ *([.,!?]+) */g, (_all, marks: string) => `${marks[0]} `)
    .trim();
}
