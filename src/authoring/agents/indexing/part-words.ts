/** Letters, for a class of a pattern, of scripts that are written without spaces between words. */
export const UNSPACED_LETTERS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー";
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]+`, "gu");

const words = new Intl.Segmenter("und", { granularity: "word" });

/**
 * Splits the words of scripts written without spaces: PostgreSQL would take a whole clause of Chinese, Japanese or Thai
 * for one word. Other text stays as it is.
 */
export function partWords(text: string): string {
  return text.replaceAll(UNSPACED, (run) => ` ${[...words.segment(run)].map(({ segment }) => segment).join(" ")} `);
}
