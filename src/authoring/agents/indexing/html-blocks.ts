import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { Block } from "./blocks.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const setOf = (names: string) => new Set(names.split(" "));

/** Elements whose content is not part of the page's text. */
const DROPPED = setOf(
  "head script style noscript template nav iframe object embed svg math canvas audio video select button textarea dialog",
);
const PARAGRAPHS = setOf(
  "address article aside blockquote body details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main ol p pre section table ul",
);
const LINES = setOf("br caption dd dt figcaption legend li option summary tr");
const CELLS = setOf("td th");
/** A table row that holds one of these is page layout, not a row of data. */
const LAYOUT = setOf("table h1 h2 h3 h4 h5 h6 form article section main");
/** A row with more nodes than this is page layout too. */
const MAX_ROW_NODES = 500;

/** Elements between a heading and a button in it. */
const MAX_IN_HEADING = 5;

/** Separators between two texts, the weakest first. */
const BREAKS = ["", " ", " | ", "\n"] as const;
const SPACE = 1;
const CELL = 2;
const LINE = 3;
const PARAGRAPH = 4;

/**
 * Returns the visible text of a page as headings, paragraphs and table rows with a bar between cells. Leaves out
 * scripts, styles, navigation, form controls and hidden elements. Walks the tree without recursion, so that depth is no
 * danger.
 */
export function htmlToBlocks(html: string): Block[] {
  const writer = new Writer();
  const waiting: { node: Node; isEnd: boolean }[] = [{ node: parse(html), isEnd: false }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, isEnd } = step;
    if (node.nodeName === "#text") writer.addText((node as DefaultTreeAdapterTypes.TextNode).value);
    else if (isEnd) writer.leave(node);
    else if (!isDropped(node)) {
      writer.enter(node);
      if (!("childNodes" in node)) continue;
      waiting.push({ node, isEnd: true });
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        waiting.push({ node: node.childNodes[i] as Node, isEnd: false });
      }
    }
  }
  return writer.end();
}

function isDropped(node: Node): boolean {
  if (DROPPED.has(node.nodeName) && !isButtonOfHeading(node)) return true;
  return "attrs" in node && isHidden(node);
}

/** True for a heading that opens what is below it: its text is in a button (ARIA practices, accordion). */
function isButtonOfHeading(node: Node): boolean {
  if (node.nodeName !== "button") return false;
  let above = "parentNode" in node ? node.parentNode : null;
  for (let depth = 0; above !== null && depth < MAX_IN_HEADING; depth++) {
    if (headingLevel(above) !== null) return true;
    above = "parentNode" in above ? above.parentNode : null;
  }
  return false;
}

function isHidden({ attrs }: Element): boolean {
  return attrs.some(({ name, value }) => {
    if (name === "hidden") return true;
    if (name === "aria-hidden") return value.trim().toLowerCase() === "true";
    if (name !== "style") return false;
    const rules = value.replaceAll(/\s/g, "").toLowerCase().split(";");
    return rules.some((rule) => /^(display:none|visibility:hidden)(!important)?$/.test(rule));
  });
}

function breakOf({ nodeName }: Node): number {
  if (PARAGRAPHS.has(nodeName)) return PARAGRAPH;
  if (LINES.has(nodeName)) return LINE;
  return CELLS.has(nodeName) ? CELL : 0;
}

function headingLevel({ nodeName }: Node): number | null {
  const digit = /^h([1-6])$/.exec(nodeName)?.[1];
  return digit === undefined ? null : Number(digit);
}

function isDataRow(row: Node): boolean {
  if (row.nodeName !== "tr" || !("childNodes" in row)) return false;
  const waiting = [...row.childNodes];
  for (let seen = 0; waiting.length > 0; seen++) {
    const node = waiting.pop() as Node;
    if (seen > MAX_ROW_NODES || LAYOUT.has(node.nodeName)) return false;
    if ("childNodes" in node) for (const child of node.childNodes) waiting.push(child);
  }
  return true;
}

/** Joins texts with the strongest separator between two of them, and splits them into blocks. */
class Writer {
  readonly #blocks: Block[] = [];
  #pieces: string[] = [];
  #break = 0;
  /** The data row being read; inside it only cells are separated. */
  #row: Node | null = null;
  #rowOf: Node | null = null;
  #header: string | null = null;

  enter(node: Node): void {
    if (this.#row) this.#addBreak(breakOf(node) === CELL ? CELL : Math.min(breakOf(node), SPACE));
    else if (headingLevel(node) !== null) this.#flush(null);
    else if (isDataRow(node)) {
      this.#flush(null);
      this.#row = node;
    } else this.#part(breakOf(node));
  }

  leave(node: Node): void {
    const level = headingLevel(node);
    if (node === this.#row) this.#leaveRow(node as Element);
    else if (this.#row) this.#addBreak(Math.min(breakOf(node), SPACE));
    else if (level !== null) this.#flush(level);
    else this.#part(breakOf(node));
  }

  addText(raw: string): void {
    const words = raw.split(/\s+/);
    const text = words.filter(Boolean).join(" ");
    if (words[0] === "") this.#addBreak(SPACE);
    if (text === "") return;
    if (this.#pieces.length > 0) this.#pieces.push(BREAKS[this.#break] as string);
    this.#pieces.push(text);
    this.#break = words.at(-1) === "" ? SPACE : 0;
  }

  end(): Block[] {
    this.#flush(null);
    return this.#blocks;
  }

  #part(strength: number): void {
    if (strength === PARAGRAPH) this.#flush(null);
    else this.#addBreak(strength);
  }

  #addBreak(strength: number): void {
    this.#break = Math.max(this.#break, strength);
  }

  #flush(level: number | null): void {
    const text = this.#take();
    if (text === "") return;
    this.#blocks.push(
      level === null ? { kind: "PARAGRAPH", text, page: null } : { kind: "HEADING", level, text, page: null },
    );
  }

  #leaveRow(row: Element): void {
    const text = this.#take();
    this.#row = null;
    const table = tableOf(row);
    const isFirst = table !== this.#rowOf;
    this.#rowOf = table;
    if (isFirst) this.#header = null;
    if (text === "") return;
    this.#blocks.push({ kind: "ROW", text, header: this.#header, page: null });
    // Few documents mark it as a header, but a first row of several cells nearly always names the columns.
    if (isFirst && text.includes(BREAKS[CELL] as string)) this.#header = text;
  }

  #take(): string {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#break = 0;
    return text;
  }
}

function tableOf({ parentNode }: Element): Node | null {
  const isPart = parentNode !== null && /^(thead|tbody|tfoot)$/.test(parentNode.nodeName);
  return isPart ? (parentNode as Element).parentNode : parentNode;
}
