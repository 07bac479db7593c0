import { type Dialect, dialectOf } from "#src/platform/kernel/csv-delimiter.ts";
import { fictionalCode, isE164, toLikelyE164 } from "#src/platform/kernel/e164.ts";

/** One record of a CSV and the line it starts on. */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** Facts about a CSV that are known before it is sent. */
export interface CsvCheck {
  columns: string[];
  rows: number;
  /** The column that is taken for the number to call; null: there is none. */
  numberColumn: string | null;
  /** Rows that the server would reject: the number is not E.164, or contextData is no JSON object. */
  badRows: number;
  /** The first faults of these rows. */
  faults: { line: number; message: string }[];
  /** True when every valid number is fictional, so that nobody can be rung; false without a column of numbers. */
  onlyFictional: boolean;
}

const MAX_FAULTS = 10;
/** Characters from which the form of a file is told at most: one read of it. */
const HEAD_CHARACTERS = 65_536;
/** The server's names for the number column, without spaces, dashes and underscores. */
const NUMBER_COLUMNS = ["customernumber", "phonenumber", "phone", "number"];

/** Reads a CSV once, row by row, and summarises it. */
export async function checkCsv(chunks: AsyncIterable<string>): Promise<CsvCheck> {
  const check: CsvCheck = { columns: [], rows: 0, numberColumn: null, badRows: 0, faults: [], onlyFictional: true };
  const places = { number: -1, context: -1 };
  for await (const { line, fields } of readRecords(chunks)) {
    if (check.columns.length === 0) {
      check.columns = fields.map((field) => field.trim());
      const names = check.columns.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ""));
      places.number = names.findIndex((name) => NUMBER_COLUMNS.includes(name));
      places.context = names.indexOf("contextdata");
      check.numberColumn = check.columns[places.number] ?? null;
      continue;
    }
    check.rows++;
    const number = (fields[places.number] ?? "").trim();
    const fault = describeNumber(number) ?? describeContext((fields[places.context] ?? "").trim());
    if (fault !== null) addFault(check, line, fault);
    else if (fictionalCode(number) === null) check.onlyFictional = false;
  }
  return { ...check, onlyFictional: check.onlyFictional && check.numberColumn !== null };
}

function addFault(check: CsvCheck, line: number, message: string): void {
  check.badRows++;
  if (check.faults.length < MAX_FAULTS) check.faults.push({ line, message });
}

function describeContext(text: string): string | null {
  if (text === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return null;
  } catch {
    // Said below.
  }
  return "contextData must be a JSON object";
}

function describeNumber(number: string): string | null {
  if (isE164(number)) return null;
  if (number === "") return "no customerNumber";
  const likely = toLikelyE164(number);
  const hint = likely === null ? "" : `. Did you mean ${likely}?`;
  return `"${number}" is not a number such as +12025550100${hint}`;
}

/** Yields the records of a CSV, split as the server splits them (`dialectOf`), without blank lines. */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let head = "";
  let reader: RecordReader | undefined;
  for await (const chunk of chunks) {
    head += chunk;
    if (!reader && !head.includes("\n") && head.length < HEAD_CHARACTERS) continue;
    reader ??= new RecordReader(dialectOf(head));
    yield* reader.read(head);
    head = "";
  }
  reader ??= new RecordReader(dialectOf(head));
  yield* reader.read(head);
  yield* reader.end();
}

/** Splits text into records that may span chunks. */
class RecordReader {
  readonly #dialect: Dialect;
  /** The last character of a line's end. */
  readonly #lineEnd: string;
  #field = "";
  #fields: string[] = [];
  /** A quote inside quotes may end them or be the first of a pair; the next character decides. */
  #state: "PLAIN" | "QUOTED" | "QUOTE_SEEN" = "PLAIN";
  #line = 1;
  #startLine = 1;
  #isFirst = true;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#lineEnd = dialect.lineEnds.at(-1) ?? "\n";
  }

  *read(chunk: string): Generator<CsvRecord> {
    if (chunk === "") return;
    const text = this.#isFirst ? chunk.replace(/^\ufeff/, "") : chunk;
    this.#isFirst = false;
    for (const char of text) {
      const record = this.#take(char);
      if (record) yield record;
    }
  }

  /** Yields a last record without a line end. */
  *end(): Generator<CsvRecord> {
    yield* this.read(this.#lineEnd);
  }

  #take(char: string): CsvRecord | undefined {
    if (char === this.#lineEnd) this.#line++;
    if (this.#state === "QUOTED") {
      if (char === '"') this.#state = "QUOTE_SEEN";
      else this.#field += char;
      return undefined;
    }
    // A quote within a value, such as that of inches, stands for itself.
    const opens = this.#state === "QUOTE_SEEN" || this.#field.trim() === "";
    if (char === '"' && opens) {
      if (this.#state === "QUOTE_SEEN") this.#field += char;
      this.#state = "QUOTED";
    } else if (char === this.#dialect.delimiter) this.#endField();
    else if (char === this.#lineEnd) return this.#endRecord();
    else if (char !== "\r") {
      this.#field += char;
      this.#state = "PLAIN";
    }
    return undefined;
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = "";
    this.#state = "PLAIN";
  }

  #endRecord(): CsvRecord | undefined {
    this.#endField();
    const record = { line: this.#startLine, fields: this.#fields };
    this.#fields = [];
    this.#startLine = this.#line;
    const isRead = record.line >= this.#dialect.headerLine && record.fields.some((field) => field.trim() !== "");
    return isRead ? record : undefined;
  }
}
