/** Characters per part: long enough that few are needed, short enough for a quick layout. */
const PART = 10_000;
/** Maximum characters before a part's full length at which it may end at a blank or a new line. */
const SLACK = 500;

/** Splits a long text into parts that end where a line may end; joined, they are the text. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + PART >= text.length ? text.length : findBreak(text, at + PART);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

function findBreak(text: string, end: number): number {
  const near = text.slice(end - SLACK, end);
  const lineEnd = near.lastIndexOf("\n");
  const blank = lineEnd >= 0 ? lineEnd : near.lastIndexOf(" ");
  if (blank >= 0) return end - SLACK + blank + 1;
  return isInPair(text, end) ? end - 1 : end;
}

/** True between the two halves of one character. */
function isInPair(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");
}

/** At most `most` characters of a text: the first ones, or those around the first match of `find`. */
export function cutAround(text: string, find: string, most: number): string {
  const at = find === "" ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  const wanted = at < most - find.length ? 0 : at - Math.floor(most / 4);
  const from = isInPair(text, wanted) ? wanted - 1 : wanted;
  const end = isInPair(text, from + most) ? from + most - 1 : from + most;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}
