import { parse as parseCsv } from "csv-parse/sync";
import { chunkText } from "./chunker.ts";
import { htmlToText } from "./html-text.ts";
import { partWords } from "./part-words.ts";

/** Content types that can be indexed. */
export const TEXT_TYPES = ["text/plain", "text/markdown", "text/html", "text/csv", "application/json"] as const;
export type TextType = (typeof TEXT_TYPES)[number];

/** What is to be indexed, as it came. */
export interface Source {
  bytes: Uint8Array;
  mediaType: TextType;
  /** The character set that came with it, if one did. */
  charset: string | null;
}

/** One passage; `searchText` is set where its words had to be parted. */
export interface Chunk {
  text: string;
  searchText: string | null;
}

/** Why a source cannot be indexed, in words for its owner. */
export class UnreadableError extends Error {}

const MAX_CHUNKS = 50_000;
const MAX_DEPTH = 64;
/** Names of columns and fields are repeated before each value, so long ones are cut. */
const MAX_LABEL_CHARS = 100;

/** Makes chunks of a source. Throws UnreadableError when it cannot be read as what it claims to be. */
export function extractChunks({ bytes, mediaType, charset }: Source): Chunk[] {
  const text = toText(decodeText(bytes, charset, mediaType === "text/html"), mediaType);
  // PostgreSQL stores neither; escapes in JSON can make them even of valid bytes.
  const chunks = chunkText(text.toWellFormed().replaceAll("\u0000", " "));
  if (chunks.length > MAX_CHUNKS) {
    throw new UnreadableError(`It makes ${chunks.length} passages; at most ${MAX_CHUNKS} are taken. Split it.`);
  }
  if (chunks.length === 0) throw new UnreadableError("It holds no text.");
  return chunks.map((chunk) => {
    const parted = partWords(chunk);
    return { text: chunk, searchText: parted === chunk ? null : parted };
  });
}

function toText(text: string, mediaType: TextType): string {
  if (mediaType === "text/html") return htmlToText(text);
  if (mediaType === "text/csv") return csvToText(text);
  if (mediaType === "application/json") return jsonToText(text);
  return text;
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
  // The mark was read as single bytes, so it cannot be in UTF-16, whatever it says (HTML standard, 13.2.3.2).
  return /^utf-16/i.test(label) ? "utf-8" : label;
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    throw new UnreadableError(`Its character set ${label.slice(0, 40)} is not known.`);
  }
}

/** A paragraph for each line, with the column's name before each value: a passage then tells what its values are. */
function csvToText(text: string): string {
  const rows = readCsv(text);
  const [header = [], ...lines] = rows;
  if (lines.length === 0) return text;
  const names = header.map((name) => name.trim().slice(0, MAX_LABEL_CHARS));
  return lines
    .map((values) =>
      values
        .map((value, i) => (value.trim() === "" ? "" : label(names[i] ?? "", value.trim())))
        .filter(Boolean)
        .join("\n"),
    )
    .join("\n\n");
}

function readCsv(text: string): string[][] {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const count = (mark: string) => head.split(mark).length;
  const delimiter = [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  try {
    return parseCsv(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch {
    throw new UnreadableError("It is not a CSV that can be read: a quoted value does not end.");
  }
}

function jsonToText(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableError("It is not valid JSON.");
  }
  const lines: string[] = [];
  writeJson(value, "", 0, lines);
  return lines.join("\n");
}

/** A line for each value with the names on the way to it; an empty line behind each object. */
function writeJson(value: unknown, path: string, depth: number, lines: string[]): void {
  if (depth > MAX_DEPTH) throw new UnreadableError(`It nests deeper than ${MAX_DEPTH} levels.`);
  if (Array.isArray(value)) {
    for (const item of value) writeJson(item, path, depth + 1, lines);
  } else if (value !== null && typeof value === "object") {
    for (const [name, item] of Object.entries(value)) {
      writeJson(item, path === "" ? name : `${path}.${name}`.slice(-MAX_LABEL_CHARS), depth + 1, lines);
    }
    lines.push("");
  } else if (value !== null) lines.push(label(path, String(value as string | number | boolean)));
}

function label(name: string, value: string): string {
  return name === "" ? value : `${name}: ${value}`;
}
