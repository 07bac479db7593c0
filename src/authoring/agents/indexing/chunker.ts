import type { Block } from "./blocks.ts";
import { cutText } from "./cut-text.ts";

/** Longest passage, in UTF-16 units. */
export const MAX_CHUNK_CHARS = 800;
/**
 * Characters repeated from a passage's end at the start of the next, so that a thought cut in two is found in either.
 */
const OVERLAP_CHARS = 100;
const PARAGRAPH_BREAK = "\n\n";
const MAX_PIECE_CHARS = MAX_CHUNK_CHARS - OVERLAP_CHARS - PARAGRAPH_BREAK.length;
/**
 * Longest first row of a table that is repeated in each of its passages; a longer one would take up too much of them.
 */
const MAX_HEADER_CHARS = 250;
const MAX_HEADING_CHARS = 200;
const MAX_PATH = 6;

/** A passage of a document and where it stands. */
export interface Passage {
  text: string;
  /** The headings above it, the highest first. */
  headings: string[];
  page: number | null;
}

/**
 * Cuts a document into passages of at most `MAX_CHUNK_CHARS`. A heading begins a passage. Inside a section the cuts are
 * between paragraphs and table rows where they fit, else between sentences, else between words. Each passage of a
 * section begins with the end of the one before, or with its table's first row.
 */
export function chunkBlocks(blocks: Block[]): Passage[] {
  const writer = new PassageWriter();
  for (const block of blocks) {
    if (block.kind === "HEADING") writer.addHeading(block);
    else writer.addBody(block);
  }
  return writer.end();
}

class PassageWriter {
  readonly #passages: Passage[] = [];
  #path: { level: number; text: string }[] = [];
  #current = "";
  #page: number | null = null;
  /** Content of `#current` besides overlap: nothing yet, headings alone, or text. */
  #holds: "NOTHING" | "HEADINGS" | "TEXT" = "NOTHING";
  /** The row before, when the block before was a row. */
  #lastRow: string | null = null;

  addHeading({ level, text, page }: Block & { kind: "HEADING" }): void {
    if (this.#holds === "TEXT") this.#close();
    if (this.#holds !== "HEADINGS") this.#current = "";
    this.#path = this.#path.filter((above) => above.level < level);
    this.#path.push({ level, text: text.slice(0, MAX_HEADING_CHARS).toWellFormed() });
    this.#write(text, PARAGRAPH_BREAK, page, "HEADINGS");
    this.#lastRow = null;
  }

  addBody(block: Exclude<Block, { kind: "HEADING" }>): void {
    const isRow = block.kind === "ROW";
    // Rows of several lines are separated by an empty line.
    const isNextLine = isRow && this.#lastRow !== null && !(this.#lastRow + block.text).includes("\n");
    const header = isRow && (block.header?.length ?? 0) <= MAX_HEADER_CHARS ? block.header : null;
    this.#lastRow = isRow ? block.text : null;
    this.#write(block.text, isNextLine ? "\n" : PARAGRAPH_BREAK, block.page, "TEXT", isRow ? { header } : null);
  }

  end(): Passage[] {
    this.#close();
    return this.#passages;
  }

  #write(
    text: string,
    gap: string,
    page: number | null,
    holds: "HEADINGS" | "TEXT",
    row: { header: string | null } | null = null,
  ): void {
    const room = row?.header ? MAX_CHUNK_CHARS - row.header.length - 1 : MAX_PIECE_CHARS;
    let before = gap;
    for (const piece of cutText(text, Math.min(room, MAX_PIECE_CHARS))) {
      const joint = this.#current === "" ? "" : before;
      if (this.#current.length + joint.length + piece.length > MAX_CHUNK_CHARS) {
        const overlap = this.#overlap(row, before);
        this.#close();
        this.#current = overlap + (overlap === "" ? piece.trimStart() : piece);
      } else this.#current += joint + piece;
      if (this.#holds === "NOTHING") this.#page = page;
      this.#holds = holds;
      before = "";
    }
  }

  /** Returns the start of the next passage: a table's first row before a row, else the end of this passage. */
  #overlap(row: { header: string | null } | null, before: string): string {
    if (row) return row.header === null ? "" : `${row.header}\n`;
    const tail = takeEnd(this.#current);
    return tail === "" ? "" : tail + before;
  }

  #close(): void {
    const text = this.#current.trim();
    if (text !== "" && this.#holds !== "NOTHING") {
      this.#passages.push({
        text,
        headings: this.#path.slice(0, MAX_PATH).map((above) => above.text),
        page: this.#page,
      });
    }
    this.#current = "";
    this.#holds = "NOTHING";
    this.#page = null;
  }
}

function takeEnd(text: string): string {
  if (text.length <= OVERLAP_CHARS) return text;
  const tail = text.slice(-OVERLAP_CHARS);
  // The first word may have lost its beginning; without a border, at least no character is cut in two.
  const border = /\s/.exec(tail)?.index;
  if (border !== undefined) return tail.slice(border).trimStart();
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
}
