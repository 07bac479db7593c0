/** Positions where a text may be cut, best first: after a sentence or line, after a clause, at any space. */
const BREAKS = [/[.!?…][)"'”’»\]]*\s+|[。！？]["')\]」』）]?\s*|\n\s*/g, /[,;:–—]\s+|[，、；：]\s*/g, /\s+/g];

/**
 * Cuts a text into parts of at most `maxLength` UTF-16 units, if possible where a speaker would breathe. The best kind of
 * break counts that fills half of a part.
 */
export function splitText(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text.toWellFormed().trim();
  while (rest.length > maxLength) {
    const end = findBreak(rest, maxLength);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  if (rest) parts.push(rest);
  return parts;
}

function findBreak(text: string, maxLength: number): number {
  const head = text.slice(0, maxLength + 1);
  for (const pattern of BREAKS) {
    const ends = [...head.matchAll(pattern)].map((match) => match.index + match[0].trimEnd().length);
    const last = ends.findLast((end) => end >= maxLength / 2 && end <= maxLength);
    if (last !== undefined) return last;
  }
  // A surrogate pair is one character.
  const isPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return isPair && maxLength > 1 ? maxLength - 1 : maxLength;
}
