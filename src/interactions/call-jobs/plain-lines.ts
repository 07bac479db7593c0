import type { Dialect } from "#src/platform/kernel/csv-delimiter.ts";

const LINE_FEED = 10;
const BOM = Buffer.from("\uFEFF");
/** Longest line that is plain. The parser has a limit for a record, which is far above. */
const MAX_LINE_BYTES = 128 * 1024;

/** A line of a CSV, or several with line breaks within quotes. */
export interface CsvRecord {
  cells: string[];
  /** Its last line, from 1. */
  line: number;
  bytes: number;
}

/**
 * Cuts a CSV into records as long as each is a line of its own, and its quotes are as RFC 4180 has them, or stand within
 * a cell without. At the first line that is anything else it stops, with the bytes from there on as `rest`.
 */
export class PlainLines {
  /** Lines that were read. */
  lines = 0;
  /** Bytes that were not read, once there is a line that is not plain. */
  rest: Buffer | null = null;
  readonly #mark: string;
  #begun: Buffer = Buffer.alloc(0);
  #isStart = true;

  private constructor(mark: string) {
    this.#mark = mark;
  }

  /** Returns a reader for the usual forms of a file, null for the others. */
  static of({ delimiter, lineEnds, headerLine }: Dialect): PlainLines | null {
    const isUsual = headerLine === 1 && lineEnds.includes("\n") && delimiter !== '"';
    return isUsual ? new PlainLines(delimiter) : null;
  }

  /** Returns the records that end in these bytes. */
  read(bytes: Buffer): CsvRecord[] {
    let block = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes;
    if (this.#isStart) {
      // A byte order mark may be cut.
      if (block.length < BOM.length) return this.#keep(block);
      if (block.subarray(0, BOM.length).equals(BOM)) block = block.subarray(BOM.length);
      this.#isStart = false;
    }
    const end = block.lastIndexOf(LINE_FEED) + 1;
    this.#keep(block.subarray(end));
    const records = this.#readLines(block.subarray(0, end));
    if (this.rest) this.rest = Buffer.concat([this.rest, this.#begun]);
    else if (this.#begun.length > MAX_LINE_BYTES) this.rest = this.#begun;
    return records;
  }

  /** Returns the last record, where no line break ends it. */
  end(): CsvRecord[] {
    return this.#begun.length === 0 ? [] : this.#readLines(this.#begun);
  }

  #keep(begun: Buffer): CsvRecord[] {
    this.#begun = begun;
    return [];
  }

  #readLines(block: Buffer): CsvRecord[] {
    const text = block.toString("utf8");
    const isAscii = text.length === block.length;
    const records: CsvRecord[] = [];
    const linesBefore = this.lines;
    for (let start = 0; start < text.length;) {
      const found = text.indexOf("\n", start);
      const next = found === -1 ? text.length : found + 1;
      const end = found === -1 ? next : text.charCodeAt(found - 1) === 13 && found > start ? found - 1 : found;
      const cells = end > start ? this.#cut(text.slice(start, end)) : [];
      if (!cells) {
        this.rest = block.subarray(startOfLine(block, this.lines - linesBefore));
        return records;
      }
      const bytes = isAscii ? next - start : Buffer.byteLength(text.slice(start, next));
      start = next;
      this.lines++;
      if (cells.length > 0) records.push({ cells, line: this.lines, bytes });
    }
    return records;
  }

  /** Returns the cells of a line; null for one that is not plain. */
  #cut(line: string): string[] | null {
    if (line.includes("\r") || line.length > MAX_LINE_BYTES) return null;
    if (!line.includes('"')) return line.split(this.#mark);
    const cells: string[] = [];
    for (let at = 0; ; at++) {
      if (line[at] === '"') {
        const close = findClosing(line, at);
        if (close === -1) return null;
        const cell = line.slice(at + 1, close);
        cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
        at = close + 1;
        if (at < line.length && line[at] !== this.#mark) return null;
      } else {
        const end = line.indexOf(this.#mark, at);
        cells.push(end === -1 ? line.slice(at) : line.slice(at, end));
        at = end === -1 ? line.length : end;
      }
      if (at >= line.length) return cells;
    }
  }
}

/** Returns where the line begins that so many others stand before. */
function startOfLine(block: Buffer, linesBefore: number): number {
  let at = 0;
  for (let i = 0; i < linesBefore; i++) at = block.indexOf(LINE_FEED, at) + 1;
  return at;
}

/** Returns the place of the quote that closes a cell, -1 when there is none in its line. */
function findClosing(line: string, open: number): number {
  for (let at = line.indexOf('"', open + 1); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return -1;
}
