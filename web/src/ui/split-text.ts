/** So long that few are needed, so short that one is laid out in a moment. */
const PART = 10_000;
/** How far before its end a part may end at a blank or a new line. */
const SLACK = 500;

/** A long text in parts that together are the text; they end where a line may end. */
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

/** So many characters of a text: its first ones, or those around the first place where `find` stands. */
export function cutAround(text: string, find: string, most: number): string {
  const at = find === "" ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  const wanted = at < most - find.length ? 0 : at - Math.floor(most / 4);
  const from = isInPair(text, wanted) ? wanted - 1 : wanted;
  const end = isInPair(text, from + most) ? from + most - 1 : from + most;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}
