import { readDigits } from "#src/platform/http/json.ts";
import { type Block, textToBlocks } from "./blocks.ts";
import { chunkBlocks, type Passage } from "./chunker.ts";
import { markdownToBlocks } from "./markdown-blocks.ts";
import { partWords } from "./part-words.ts";
import { csvToBlocks, nameValue } from "./table-blocks.ts";
import { UnreadableError } from "./unreadable.ts";

/** Content types that are text. */
export const TEXT_TYPES = ["text/plain", "text/markdown", "text/html", "text/csv", "application/json"] as const;
type TextType = (typeof TEXT_TYPES)[number];

/** Content types that a parser converts to text. */
const BINARY_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
] as const;

/** Content types that can be indexed. */
export const SOURCE_TYPES = [...TEXT_TYPES, ...BINARY_TYPES] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** True for types that are read as characters, false for those that a parser takes as bytes. */
export function isTextType(type: SourceType): type is TextType {
  return (TEXT_TYPES as readonly string[]).includes(type);
}

/** A document to index, as it was received. */
export interface Source {
  bytes: Uint8Array;
  mediaType: SourceType;
  /** Character set declared with it, if one was. */
  charset: string | null;
}

/** One passage; `searchText` is searched instead of the text where the two differ. */
export interface Chunk extends Passage {
  searchText: string | null;
}

const MAX_CHUNKS = 50_000;
const MAX_DEPTH = 64;
/** Longest field name; names are repeated before each value, so longer ones are cut. */
const MAX_LABEL_CHARS = 100;

/** Makes chunks of a source. Throws UnreadableError when it cannot be read as its declared type. */
export async function extractChunks(source: Source): Promise<Chunk[]> {
  const passages = chunkBlocks((await readBlocks(source)).map(cleanBlock));
  if (passages.length > MAX_CHUNKS) {
    throw new UnreadableError(`It makes ${passages.length} passages; at most ${MAX_CHUNKS} are taken. Split it.`);
  }
  if (passages.length === 0) throw new UnreadableError("It holds no text.");
  return passages.map((passage) => ({ ...passage, searchText: toSearchText(passage) }));
}

/** Loads parsers only when they are needed: they are large, and most processes and threads read no such file. */
async function readBlocks({ bytes, mediaType, charset }: Source): Promise<Block[]> {
  if (isTextType(mediaType)) {
    return textTypeToBlocks(decodeText(bytes, charset, mediaType === "text/html"), mediaType);
  }
  if (mediaType === "application/pdf") return (await import("./pdf-blocks.ts")).pdfToBlocks(bytes);
  const office = await import("./office-blocks.ts");
  return mediaType.endsWith(".sheet") ? office.xlsxToBlocks(bytes) : office.docxToBlocks(bytes);
}

async function textTypeToBlocks(text: string, mediaType: TextType): Promise<Block[]> {
  if (mediaType === "text/html") return (await import("./html-blocks.ts")).htmlToBlocks(text);
  if (mediaType === "text/markdown") return markdownToBlocks(text);
  if (mediaType === "text/csv") return csvToBlocks(text);
  return textToBlocks(mediaType === "application/json" ? jsonToText(text) : text);
}

/**
 * Removes lone surrogates and NUL, which PostgreSQL does not store; escapes in JSON can produce them from valid bytes.
 */
function cleanBlock(block: Block): Block {
  const text = clean(block.text);
  return block.kind === "ROW" && block.header !== null
    ? { ...block, text, header: clean(block.header) }
    : { ...block, text };
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", " ");
}

/** Adds the headings above a passage to its searched text, and splits the words of scripts written without spaces. */
function toSearchText({ text, headings }: Passage): string | null {
  const above = headings.filter((heading) => !text.includes(heading));
  const searched = partWords([...above, text].join("\n"));
  return searched === text ? null : searched;
}

/** Decodes by byte order mark, then by the given character set, then (HTML) by its meta element, then as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string | null, isHtml: boolean): string {
  const label = markedCharset(bytes) ?? charset ?? (isHtml ? metaCharset(bytes) : null);
  if (label !== null) return decodeAs(label, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    if (isHtml) return new TextDecoder("windows-1252").decode(bytes);
    throw new UnreadableError("It is not UTF-8 text.");
  }
}

function markedCharset([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : null;
}

function metaCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  const label = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w:.-]{1,40})/i.exec(head)?.[1];
  if (label === undefined) return null;
  // The label was read as single bytes, so it cannot be UTF-16, whatever it says (HTML standard, 13.2.3.2).
  return /^utf-16/i.test(label) ? "utf-8" : label;
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    throw new UnreadableError(`Its character set ${label.slice(0, 40)} is not known.`);
  }
}

function jsonToText(text: string): string {
  let value: unknown;
  try {
    value = readDigits(text);
  } catch (error) {
    // Deeper than the parser's stack.
    if (error instanceof RangeError) throw tooDeep();
    throw new UnreadableError("It is not valid JSON.");
  }
  const lines: string[] = [];
  writeJson(value, "", 0, lines);
  return lines.join("\n");
}

/** Writes a line for each value with the names on the way to it, and an empty line after each object. */
function writeJson(value: unknown, path: string, depth: number, lines: string[]): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) {
    for (const item of value) writeJson(item, path, depth + 1, lines);
  } else if (value !== null && typeof value === "object") {
    for (const [name, item] of Object.entries(value)) {
      writeJson(item, path === "" ? name : `${path}.${name}`.slice(-MAX_LABEL_CHARS), depth + 1, lines);
    }
    lines.push("");
  } else if (value !== null) lines.push(nameValue(path, String(value as string | number | boolean)));
}

function tooDeep(): UnreadableError {
  return new UnreadableError(`It nests deeper than ${MAX_DEPTH} levels.`);
}
