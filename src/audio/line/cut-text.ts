/** Letters of scripts that write no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
let words: Intl.Segmenter | undefined;

/**
 * Returns the beginning of a text, cut at a word: the words that lie whole within `fraction`, from 0 to 1, of its
 * characters. Words end at spaces, and in scripts without spaces where Unicode's segmentation says (UAX 29).
 */
export function cutText(text: string, fraction: number): string {
  const end = Math.floor(text.length * Math.max(0, fraction));
  if (end >= text.length) return text;
  const space = text.lastIndexOf(" ", end);
  const start = space + 1;
  const [run = ""] = text.slice(start).split(" ", 1);
  if (!UNSPACED.test(run)) return text.slice(0, Math.max(0, space));
  let cut = Math.max(0, space);
  // Made on first use, which takes 10 ms.
  words ??= new Intl.Segmenter("und", { granularity: "word" });
  for (const { index, segment } of words.segment(run)) {
    if (start + index + segment.length > end) break;
    cut = start + index + segment.length;
  }
  return text.slice(0, cut);
}
