import { getDocumentProxy } from "unpdf";
import type { Block } from "./blocks.ts";
import { UNSPACED_LETTERS } from "./part-words.ts";
import { UnreadableError } from "./unreadable.ts";

const MAX_PAGES = 2_000;
const MAX_CHARS = 20_000_000;
/** Ratio of a line's letter size to that of the body text from which on it is a heading. */
const HEADING_RATIO = 1.15;
const MAX_HEADING_CHARS = 150;
/** Line heights of a gap above which it separates paragraphs. */
const PARAGRAPH_GAP = 1.6;

interface Line {
  text: string;
  page: number;
  /** Distance from the bottom of the page. */
  y: number;
  size: number;
}

/** A piece of a page's text as the parser returns it. */
interface TextItem {
  str: string;
  transform: number[];
  height: number;
  hasEOL: boolean;
}

/** Reads a PDF's text as headings and paragraphs with their pages. Letters larger than most are headings. */
export async function pdfToBlocks(bytes: Uint8Array): Promise<Block[]> {
  try {
    return linesToBlocks(await readLines(bytes));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    // The parser throws errors of any kind for a malformed file.
    const isLocked = (error as { name?: unknown }).name === "PasswordException";
    throw new UnreadableError(isLocked ? "It is protected by a password." : "It is not a PDF that can be read.");
  }
}

async function readLines(bytes: Uint8Array): Promise<Line[]> {
  // A copy: the parser takes the buffer for itself.
  const document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, useSystemFonts: false });
  if (document.numPages > MAX_PAGES) {
    throw new UnreadableError(`It has ${document.numPages} pages; at most ${MAX_PAGES} are taken. Split it.`);
  }
  const lines: Line[] = [];
  let chars = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const line of joinLines(items, number)) {
      chars += line.text.length;
      if (chars > MAX_CHARS) throw new UnreadableError(`It holds more than ${MAX_CHARS} characters. Split it.`);
      lines.push(line);
    }
    page.cleanup();
  }
  if (lines.length === 0) throw new UnreadableError("It holds no text; pages that were scanned are only pictures.");
  return lines;
}

function joinLines(items: (TextItem | object)[], page: number): Line[] {
  const lines: Line[] = [];
  let line: Line | null = null;
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, transform, height, hasEOL } = item;
    const y = transform[5] ?? 0;
    if (str !== "") {
      line ??= { text: "", page, y, size: 0 };
      line.text += str;
      if (str.trim() !== "") line.size = Math.max(line.size, height);
    }
    if (!hasEOL || line === null) continue;
    lines.push(line);
    line = null;
  }
  if (line !== null) lines.push(line);
  return lines
    .map((one) => ({ ...one, text: one.text.replaceAll(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
}

function linesToBlocks(lines: Line[]): Block[] {
  const levels = headingLevels(lines);
  const blocks: Block[] = [];
  let paragraph: { block: Block & { kind: "PARAGRAPH" }; last: Line } | null = null;
  for (const line of lines) {
    const { text, page, size } = line;
    const level = text.length <= MAX_HEADING_CHARS ? levels.get(Math.round(size)) : undefined;
    if (level !== undefined) {
      blocks.push({ kind: "HEADING", level, text, page });
      paragraph = null;
    } else if (paragraph && continues(paragraph.last, line)) {
      paragraph.block.text = joinText(paragraph.block.text, text);
      paragraph.last = line;
    } else {
      const block = { kind: "PARAGRAPH" as const, text, page };
      blocks.push(block);
      paragraph = { block, last: line };
    }
  }
  return blocks;
}

/** Returns the letter sizes that stand out from the size most of the text has; the largest is level 1. */
function headingLevels(lines: Line[]): Map<number, number> {
  const chars = new Map<number, number>();
  for (const { size, text } of lines) chars.set(Math.round(size), (chars.get(Math.round(size)) ?? 0) + text.length);
  const [body = 0] = [...chars].sort((a, b) => b[1] - a[1])[0] ?? [];
  const larger = [...chars.keys()].filter((size) => body > 0 && size > body * HEADING_RATIO).sort((a, b) => b - a);
  return new Map(larger.map((size, i) => [size, Math.min(i + 1, 6)]));
}

/**
 * True when a paragraph continues in the next line below, or at the top of the next page while its sentence is open.
 */
function continues(before: Line, line: Line): boolean {
  if (line.page !== before.page) return !/[.!?:;…"”»)\]。！？：；」』）]$/.test(before.text);
  const gap = before.y - line.y;
  return gap > 0 && gap <= Math.max(before.size, line.size, 1) * PARAGRAPH_GAP;
}

/** A line's end, or its start, in a script without spaces: its letters, and the punctuation of East Asia. */
const UNSPACED = `[${UNSPACED_LETTERS}\u3000-\u303f\uff01-\uff65]`;
const UNSPACED_END = new RegExp(`${UNSPACED}$`, "u");
const UNSPACED_START = new RegExp(`^${UNSPACED}`, "u");

/** Joins two lines, and a word that was parted at the end of the first: with a hyphen, or in a script without spaces. */
export function joinText(before: string, text: string): string {
  if (UNSPACED_END.test(before) && UNSPACED_START.test(text)) return before + text;
  const isParted = /\p{Ll}[-\u00ad]$/u.test(before) && /^\p{Ll}/u.test(text);
  return isParted ? before.slice(0, -1) + text : `${before} ${text}`;
}
