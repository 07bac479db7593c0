import { Readable } from "node:stream";
import { parse, type Options } from "csv-parse";
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

/** Has the parser read a file of which `linesBefore` lines were read already. */
async function* parseRecords(
  source: AsyncIterable<Uint8Array>,
  ofFile: Options,
  linesBefore: number,
): AsyncIterable<(CsvRecord | RowFault)[]> {
  const skipped: RowFault[] = [];
  const parser = Readable.from(source, { objectMode: false }).pipe(parse(options(ofFile, skipped)));
  let ahead = -linesBefore;
  let bytesBefore = 0;
  try {
    for await (const item of parser as AsyncIterable<{ record: string[]; info: { lines: number; bytes: number } }>) {
      const { lines, bytes } = item.info;
      ahead += countLineBreaks(item.record);
      const items: (CsvRecord | RowFault)[] = [];
      // The parser reads ahead, so its skipped lines are put back in line order.
      while (skipped[0] && skipped[0].line <= lines) items.push(moveUp(skipped.shift() as RowFault, ahead));
      items.push({ cells: item.record, line: lines - ahead, bytes: bytes - bytesBefore });
      bytesBefore = bytes;
      yield items;
    }
  } catch (error) {
    throw asCsvError(error);
  }
  yield skipped.splice(0).map((fault) => moveUp(fault, ahead));
}

/** Returns the CRLFs within the cells of a record. The parser counts each of them as two lines. */
function countLineBreaks(record: string[]): number {
  return record.reduce((count, cell) => (cell.includes("\r\n") ? count + cell.split("\r\n").length - 1 : count), 0);
}

function moveUp(fault: RowFault, lines: number): RowFault {
  return { ...fault, line: fault.line - lines };
}

function options(ofFile: Options, skipped: RowFault[]): Options {
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
      if (!error) return undefined;
      const line = Number((error as { lines?: number }).lines ?? 0);
      skipped.push({ line, column: "", code: error.code ?? "CSV", message: `The line is not valid CSV: ${QUOTING}` });
      return undefined;
    },
  };
}

function asCsvError(error: unknown): unknown {
  const code = (error as { code?: string }).code;
  if (error instanceof AppError || !code?.startsWith("CSV_")) return error;
  return fieldError("file", code, `is not valid CSV: ${QUOTING}`);
}
