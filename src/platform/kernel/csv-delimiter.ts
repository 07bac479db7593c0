const MARKS = [",", ";", "\t", "|"];

/** Returns what separates the values of a CSV: the mark that its first line has most of. */
function delimiterOf(text: string): string {
  // A name in quotes may hold the others.
  const head = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? "").replaceAll(/"[^"]*"/g, "");
  const count = (mark: string) => head.split(mark).length;
  return MARKS.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Form of a CSV. */
export interface Dialect {
  delimiter: string;
  lineEnds: string[];
  /** Number of the header's line. */
  headerLine: number;
}

/** First line in which a spreadsheet names the separator. */
const SEPARATOR_LINE = /^"?sep=([^"\r\nA-Za-z0-9])"?[ \t]*(\r\n|\n|\r|$)/i;

/**
 * Returns separator and line ends of a CSV from how it begins: a comma, semicolon, tab or bar, or what a first line
 * `sep=;` names.
 */
export function dialectOf(text: string): Dialect {
  const said = SEPARATOR_LINE.exec(text.replace(/^\uFEFF/, ""))?.[1];
  return {
    delimiter: said ?? delimiterOf(text),
    lineEnds: text.includes("\n") || !text.includes("\r") ? ["\r\n", "\n"] : ["\r"],
    headerLine: said === undefined ? 1 : 2,
  };
}

/** Returns the form of a CSV as options of its parser. */
export function parserOptionsOf({ delimiter, lineEnds, headerLine }: Dialect) {
  return { delimiter, record_delimiter: lineEnds, from_line: headerLine };
}
