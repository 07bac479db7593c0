import { Breather } from "./breather.ts";

/** One line of a file: where it begins (the first is 1) and its cells. */
export interface CsvLine {
  line: number;
  cells: string[];
}

const SEPARATORS = [",", ";", "\t", "|"];
/** Bytes of a file decoded at once, a few milliseconds of work. */
const BYTES_AT_ONCE = 1_000_000;

/** Returns the most frequent separator in the first line. */
export function guessSeparator(text: string): string {
  const head = (/^[^\r\n]*/.exec(text)?.[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const count = (mark: string) => head.split(mark).length;
  return SEPARATORS.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Reads a CSV line by line (RFC 4180, also with LF or CR line ends); blank lines are skipped. */
export function* readLines(text: string, separator = guessSeparator(text)): Generator<CsvLine> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    for (;;) {
      const cell = text[at] === '"' ? readQuoted(text, at, separator) : readPlain(text, at, separator);
      line += cell.breaks;
      cells.push(cell.value);
      at = cell.end;
      if (text[at] !== separator) break;
      at++;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at++;
    at++;
    line++;
    if (cells.some((cell) => cell.trim() !== "")) yield { line: start, cells };
  }
}

interface Cell {
  value: string;
  end: number;
  /** Line ends within it. */
  breaks: number;
}

function readPlain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(start, end), end, breaks: 0 };
}

/** Reads a quoted cell; text between the closing quote and the next separator is kept as it is. */
function readQuoted(text: string, start: number, separator: string): Cell {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const end = close < 0 ? text.length : close;
  const value = text.slice(start + 1, end).replaceAll('""', '"');
  const tail = readPlain(text, Math.min(end + 1, text.length), separator);
  return { value: value + tail.value, end: tail.end, breaks: value.split("\n").length - 1 };
}

/** Reads all lines without blocking the page. `most`: lines beyond are not read. */
export async function readAllLines(text: string, most: number): Promise<{ lines: CsvLine[]; isCut: boolean }> {
  const lines: CsvLine[] = [];
  const breather = new Breather();
  for (const line of readLines(text)) {
    if (lines.length === most) return { lines, isCut: true };
    lines.push(line);
    if (breather.isDue) await breather.rest();
  }
  return { lines, isCut: false };
}

/**
 * Decodes a file without blocking the page: UTF-8 or UTF-16 where its first bytes or its content match, otherwise
 * windows-1252, which older spreadsheets write.
 */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeInParts(bytes, new TextDecoder("utf-16le"));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeInParts(bytes, new TextDecoder("utf-16be"));
  try {
    return await decodeInParts(bytes, new TextDecoder("utf-8", { fatal: true }));
  } catch {
    return decodeInParts(bytes, new TextDecoder("windows-1252"));
  }
}

async function decodeInParts(bytes: Uint8Array, decoder: TextDecoder): Promise<string> {
  const parts: string[] = [];
  const breather = new Breather();
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    parts.push(decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true }));
    if (breather.isDue) await breather.rest();
  }
  // A character cut short by the end throws here.
  parts.push(decoder.decode());
  return parts.join("");
}
