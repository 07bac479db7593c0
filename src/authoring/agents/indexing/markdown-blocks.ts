import type { Block } from "./blocks.ts";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(```|~~~)/;
/** A cell of the line that follows the first row of a table. */
const RULE_CELL = /^[ \t]*:?-+:?[ \t]*$/;

/**
 * Reads Markdown as blocks: headings with their levels, the rows of pipe tables, and paragraphs. Everything inside a
 * code fence is text.
 */
export function markdownToBlocks(text: string): Block[] {
  const reader = new Reader();
  for (const line of text.split(/\r\n|\r|\n/)) reader.addLine(line.trimEnd());
  return reader.end();
}

class Reader {
  readonly #blocks: Block[] = [];
  #lines: string[] = [];
  #fence: string | null = null;
  /** The first row of the table being read. */
  #header: string | null = null;

  addLine(line: string): void {
    const fence = FENCE.exec(line)?.[1] ?? null;
    if (this.#fence !== null || fence !== null) {
      const isEnd = this.#fence !== null && fence === this.#fence;
      if (this.#fence === null) this.#flush();
      if (line !== "") this.#lines.push(line);
      if (line === "" || isEnd) this.#flush();
      this.#fence = isEnd ? null : (this.#fence ?? fence);
    } else this.#addProse(line);
  }

  end(): Block[] {
    this.#flush();
    return this.#blocks;
  }

  #addProse(line: string): void {
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (line === "") {
      this.#flush();
      this.#header = null;
    } else if (marks !== undefined && title !== undefined) {
      this.#flush();
      this.#addHeading(marks.length, withoutClosingMarks(title));
    } else if (this.#header !== null && line.includes("|")) this.#addRow(line);
    else if (this.#lines.length === 1 && line.includes("|") && isTableRule(line)) this.#openTable();
    else if (this.#lines.length === 1 && UNDERLINE.test(line)) {
      const [title = ""] = this.#lines.splice(0);
      this.#addHeading(line.includes("=") ? 1 : 2, title);
    } else {
      this.#header = null;
      this.#lines.push(line);
    }
  }

  #openTable(): void {
    this.#header = this.#lines[0] ?? null;
    this.#lines = [];
    this.#blocks.push({ kind: "ROW", text: this.#header ?? "", header: null, page: null });
  }

  #addRow(text: string): void {
    this.#blocks.push({ kind: "ROW", text, header: this.#header, page: null });
  }

  #addHeading(level: number, text: string): void {
    this.#header = null;
    this.#blocks.push({ kind: "HEADING", level, text: text.trim(), page: null });
  }

  #flush(): void {
    if (this.#lines.length > 0) this.#blocks.push({ kind: "PARAGRAPH", text: this.#lines.join("\n"), page: null });
    this.#lines = [];
  }
}

/** True for the line below the first row of a table. Each cell is looked at once: a line may be hostile and long. */
function isTableRule(line: string): boolean {
  const bare = line.trim();
  const end = bare.length > 1 && bare.endsWith("|") ? -1 : bare.length;
  const cells = bare.slice(bare.startsWith("|") ? 1 : 0, end).split("|");
  return cells.every((cell) => RULE_CELL.test(cell));
}

/** Returns a heading without the marks that close it (CommonMark, 4.2). */
function withoutClosingMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === "#") end--;
  return /[ \t]/.test(title[end - 1] ?? "") ? title.slice(0, end) : title;
}
