import { Readable } from "node:stream";
import { type CsvError, parse, type Options } from "csv-parse";
import { type Dialect, dialectOf, parserOptionsOf } from "#src/platform/kernel/csv-delimiter.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { RowFault } from "./contact.ts";
import { type CsvRecord, PlainLines } from "./plain-lines.ts";

/** The rule that a faulty line usually breaks (RFC 4180, section 2). */
export const QUOTING = "a value with a comma or a line break stands in quotes, and a quote inside is written twice.";
const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * Reads the records of a CSV in order, with a fault for each that cannot be read. Plain lines are cut here, which takes a
 * fifth of the parser's time; from the first line that is anything else on, the parser reads the file. Both say the same.
 */
export async function* readRecords(source: AsyncIterable<Uint8Array>): AsyncIterable<(CsvRecord | RowFault)[]> {
  const iterator = source[Symbol.asyncIterator]();
  const head = await iterator.next();
  const dialect = dialectOfHead(head.done ? Buffer.alloc(0) : asBuffer(head.value));
  const plain = PlainLines.of(dialect);
  let rest: Buffer | null = null;
  let item = head;
  for (; plain && !rest && !item.done; item = await iterator.next()) {
    yield plain.read(asBuffer(item.value));
    rest = plain.rest;
  }
  if (plain && !rest) {
    yield plain.end();
    rest = plain.rest;
    if (!rest) return;
  }
  // A byte order mark at the beginning is gone by then.
  const parserOptions = { ...parserOptionsOf(dialect), bom: !plain };
  yield* parseRecords(rejoin(rest, item, iterator), parserOptions, plain?.lines ?? 0);
}

/** First bytes of the files of spreadsheets: XLSX and ODS, which are ZIP archives, and XLS. */
const WORKBOOKS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];

/** Detects separator and line ends from the header. By default the parser would split every line on all of them. */
function dialectOfHead(head: Buffer): Dialect {
  if (WORKBOOKS.includes(head.toString("latin1", 0, 4)))
    throw fieldError("file", "NOT_CSV", "is a spreadsheet's own file: save it there as CSV, and send that.");
  return dialectOf(head.toString("utf8", 0, MAX_RECORD_BYTES));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function* rejoin(
  rest: Buffer | null,
  head: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (rest) yield rest;
  for (let item = head; !item.done; item = await iterator.next()) yield item.value;
}

/** End of what the parser can read: a record that has no end, or none within the limit. */
interface BadEnd {
  code: string;
  /** Records and empty lines before it. */
  records: number;
  emptyLines: number;
}

/** Has the parser read a file of which `linesBefore` lines were read already. */
async function* parseRecords(
  source: AsyncIterable<Uint8Array>,
  ofFile: Options,
  linesBefore: number,
): AsyncIterable<(CsvRecord | RowFault)[]> {
  const bad: BadEnd[] = [];
  const parser = Readable.from(source, { objectMode: false }).pipe(parse(options(ofFile, bad)));
  let ahead = -linesBefore;
  let [line, emptyLines, bytesBefore] = [linesBefore, 0, 0];
  try {
    for await (const item of parser as AsyncIterable<{ record: string[]; info: ParserInfo }>) {
      const { lines, bytes, records } = item.info;
      // The parser drops the rest of each piece of a record that is too long, and goes on anywhere after it.
      if (bad[0] && records > bad[0].records) continue;
      ahead += countLineBreaks(item.record);
      line = lines - ahead;
      emptyLines = item.info.empty_lines;
      yield [{ cells: item.record, line, bytes: bytes - bytesBefore }];
      bytesBefore = bytes;
    }
  } catch (error) {
    throw asCsvError(error);
  }
  yield bad.slice(0, 1).map((end) => toFault(end, line + 1 + end.emptyLines - emptyLines));
}

/** Counters of the parser up to the end of a record. */
interface ParserInfo {
  lines: number;
  bytes: number;
  records: number;
  empty_lines: number;
}

function toFault({ code }: BadEnd, line: number): RowFault {
  const what =
    code === "CSV_MAX_RECORD_SIZE"
      ? `The record that begins here has more than ${MAX_RECORD_BYTES} bytes`
      : "A quote that opens here is not closed";
  return { line, column: "", code, message: `${what}, so nothing from here on was read: ${QUOTING}` };
}

/** Returns the CRLFs within the cells of a record. The parser counts each of them as two lines. */
function countLineBreaks(record: string[]): number {
  return record.reduce((count, cell) => (cell.includes("\r\n") ? count + cell.split("\r\n").length - 1 : count), 0);
}

function options(ofFile: Options, bad: BadEnd[]): Options {
  return {
    info: true,
    ...ofFile,
    skip_empty_lines: true,
    relax_column_count: true,
    // Text after a closing quote is accepted: rejecting it would swallow every line after it.
    relax_quotes: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    on_skip: (error) => {
      const { code, records, empty_lines: emptyLines } = error as CsvError & ParserInfo;
      bad.push({ code, records, emptyLines });
      return undefined;
    },
  };
}

function asCsvError(error: unknown): unknown {
  const code = (error as { code?: string }).code;
  if (error instanceof AppError || !code?.startsWith("CSV_")) return error;
  return fieldError("file", code, `is not valid CSV: ${QUOTING}`);
}
