/** Longest chunk, in UTF-16 units. */
export const MAX_CHUNK_CHARS = 800;
/** How much of a chunk's end the next one begins with, so that a thought cut in two is found in either. */
const OVERLAP_CHARS = 100;
const PARAGRAPH_BREAK = "\n\n";
const MAX_PIECE_CHARS = MAX_CHUNK_CHARS - OVERLAP_CHARS - PARAGRAPH_BREAK.length;

/**
 * Cuts a text into chunks of at most `MAX_CHUNK_CHARS`, on borders of paragraphs where they fit, of sentences where
 * they do not, of words where even a sentence is too long. Each begins with the end of the one before.
 */
export function chunkText(text: string): string[] {
  const chunks: string[] = [];
  let current = "";
  for (const paragraph of readParagraphs(text)) {
    for (const piece of cutParagraph(paragraph)) {
      if (current.length + piece.length > MAX_CHUNK_CHARS) {
        chunks.push(current.trim());
        current = takeOverlap(current);
      }
      current += piece;
    }
    current += PARAGRAPH_BREAK;
  }
  const last = current.trim();
  if (last !== "") chunks.push(last);
  return chunks;
}

/** Runs of lines without an empty one between them; spaces at the ends of lines are dropped. */
function* readParagraphs(text: string): Iterable<string> {
  let lines: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const kept = line.trimEnd();
    if (kept !== "") lines.push(kept);
    else if (lines.length > 0) {
      yield lines.join("\n");
      lines = [];
    }
  }
  if (lines.length > 0) yield lines.join("\n");
}

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

function* cutParagraph(paragraph: string): Iterable<string> {
  if (paragraph.length <= MAX_PIECE_CHARS) {
    yield paragraph;
    return;
  }
  for (const { segment } of sentences.segment(paragraph)) yield* cutSentence(segment);
}

function* cutSentence(sentence: string): Iterable<string> {
  let rest = sentence;
  while (rest.length > MAX_PIECE_CHARS) {
    const end = findCut(rest);
    const piece = rest.slice(0, end);
    rest = rest.slice(end);
    if (piece.trim() !== "") yield piece;
  }
  if (rest.trim() !== "") yield rest;
}

/** Behind the last space of the piece's second half; without one, where no character is cut in two. */
function findCut(text: string): number {
  for (let at = MAX_PIECE_CHARS; at > MAX_PIECE_CHARS / 2; at--) {
    if (/\s/.test(text[at - 1] as string)) return at;
  }
  return isInsidePair(text, MAX_PIECE_CHARS) ? MAX_PIECE_CHARS - 1 : MAX_PIECE_CHARS;
}

function takeOverlap(chunk: string): string {
  const start = chunk.length - OVERLAP_CHARS;
  const tail = chunk.slice(isInsidePair(chunk, start) ? start + 1 : start);
  const border = /\s/.exec(tail)?.index;
  return border === undefined ? tail : tail.slice(border).trimStart();
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
