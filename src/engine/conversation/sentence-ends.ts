/**
 * Matches the end of a sentence: its mark with closing quotes, before a space or at the end of the text so far. No space
 * follows the marks of Chinese and Japanese.
 */
export const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s|$)|[。！？]["'”’)\]」』）]*/gu;

const ENDS_FULL_WIDTH = /[。！？]["'”’)\]」』）]*$/u;

/** Joins two parts of a turn: with a space, unless the language writes none between sentences. */
export function joinParts(before: string, after: string): string {
  return ENDS_FULL_WIDTH.test(before) ? before + after : `${before} ${after}`;
}
