let sentences: Intl.Segmenter | undefined;

/** Splits a text that is longer than `maxChars` between sentences, and a longer sentence between words. */
export function* cutText(text: string, maxChars: number): Iterable<string> {
  if (text.length <= maxChars) {
    yield text;
    return;
  }
  // Made on first use, which takes 10 ms.
  sentences ??= new Intl.Segmenter("und", { granularity: "sentence" });
  for (const { segment } of sentences.segment(text)) yield* cutSentence(segment, maxChars);
}

function* cutSentence(sentence: string, maxChars: number): Iterable<string> {
  let rest = sentence;
  while (rest.length > maxChars) {
    const end = findCut(rest, maxChars);
    const piece = rest.slice(0, end);
    rest = rest.slice(end);
    if (piece.trim() !== "") yield piece;
  }
  if (rest.trim() !== "") yield rest;
}

/**
 * Returns the position behind the last space of the piece's second half; without one, where no character is cut in two.
 */
function findCut(text: string, maxChars: number): number {
  for (let at = maxChars; at > maxChars / 2; at--) {
    if (/\s/.test(text[at - 1] as string)) return at;
  }
  const isInsidePair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(maxChars - 1, maxChars + 1));
  return isInsidePair ? maxChars - 1 : maxChars;
}
