/** Returns text that cannot control a terminal, because names and transcripts are untrusted. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

/** Columns of the terminal that standard output is; undefined for a file or a pipe, which get everything. */
const terminalWidth = () => process.stdout.columns as number | undefined;
const GAP = "  ";
/** Narrowest that a column of texts becomes. */
const LEAST_WIDTH = 10;
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns columns padded to their widest cell; the heading alone when there are no rows. Where a line is longer than the
 * terminal is wide, columns of texts are cut; those of ids, states and numbers are not.
 */
export function renderTable(heading: string[], rows: string[][], width = terminalWidth()): string {
  const cells = rows.map((row) => row.map(printable));
  const lines = [heading, ...cells];
  const widths = heading.map((_title, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const texts = heading.map((_title, column) => cells.some((row) => row[column]?.includes(" ")));
  if (width !== undefined) shrink(widths, texts, width);
  return lines
    .map((line) =>
      line
        .map((cell, column) => padTo(cell, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** Narrows columns of texts, the widest first, until a line fits. */
function shrink(widths: number[], texts: boolean[], limit: number): void {
  const excess = () => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - limit;
  while (excess() > 0) {
    const widest = Math.max(...widths.filter((_width, i) => texts[i]));
    if (widest <= LEAST_WIDTH) return;
    widths[widths.findIndex((width, i) => texts[i] && width === widest)] = widest - 1;
  }
}

/** Pads or cuts a text to a width in columns. */
function padTo(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + " ".repeat(width - own);
  let kept = "";
  let used = 1;
  for (const { segment } of split(text)) {
    used += widthOf(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…${" ".repeat(Math.max(0, width - widthOf(kept) - 1))}`;
}

/** Splits a text into what a reader takes for characters. The splitter is made on first use, which takes 10 ms. */
function split(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter()).segment(text);
}

/** Returns the columns that a text takes: two for a wide character, such as Chinese or an emoji. */
function widthOf(text: string): number {
  // Most texts need no look at their characters.
  if (/^[\u0020-\u02ff]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of split(text)) {
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
        segment,
      )
        ? 2
        : 1;
  }
  return width;
}

/** Returns one `name  value` line for each value in the object; inner objects by their dotted path, nulls left out. */
export function renderFields(value: object): string {
  const fields = flatten(value, "");
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function flatten(value: object, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, string][] => {
    const name = prefix + printable(key);
    if (item === null || item === undefined) return [];
    if (Array.isArray(item)) return [[name, item.map(show).join(", ")]];
    if (typeof item === "object") return flatten(item, `${name}.`);
    return [[name, show(item)]];
  });
}

/** Formats a value for a cell: texts as they are, objects as JSON, nothing for null. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "";
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}
