import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements whose content nobody reads as text of the page. */
const DROPPED = new Set(
  "head script style noscript template nav iframe object embed svg math canvas audio video select button textarea dialog".split(
    " ",
  ),
);
const PARAGRAPHS = new Set(
  "address article aside blockquote body details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main ol p pre section table ul".split(
    " ",
  ),
);
const LINES = new Set("br caption dd dt figcaption legend li option summary tr".split(" "));
const CELLS = new Set(["td", "th"]);

/** What stands between two texts, by how much it parts them. */
const BREAKS = ["", " ", " | ", "\n", "\n\n"] as const;
const SPACE = 1;
const CELL = 2;
const LINE = 3;
const PARAGRAPH = 4;

/**
 * The text that a reader sees on a page: paragraphs parted by an empty line, cells by a bar. Scripts, styles,
 * navigation, form controls and whatever is hidden are left out. Walks the tree without recursion, so depth is no danger.
 */
export function htmlToText(html: string): string {
  const writer = new Writer();
  const waiting: { node: Node; isEnd: boolean }[] = [{ node: parse(html), isEnd: false }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, isEnd } = step;
    if (node.nodeName === "#text") writer.addText((node as DefaultTreeAdapterTypes.TextNode).value);
    else if (isEnd || !isDropped(node)) {
      writer.addBreak(breakOf(node));
      if (isEnd || !("childNodes" in node)) continue;
      waiting.push({ node, isEnd: true });
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        waiting.push({ node: node.childNodes[i] as Node, isEnd: false });
      }
    }
  }
  return writer.text;
}

function isDropped(node: Node): boolean {
  if (DROPPED.has(node.nodeName)) return true;
  return "attrs" in node && isHidden(node);
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

/** Joins texts with the strongest break that stands between two of them. */
class Writer {
  readonly #pieces: string[] = [];
  #break = 0;

  addBreak(strength: number): void {
    this.#break = Math.max(this.#break, strength);
  }

  addText(raw: string): void {
    const words = raw.split(/\s+/);
    const text = words.filter(Boolean).join(" ");
    if (words[0] === "") this.addBreak(SPACE);
    if (text === "") return;
    if (this.#pieces.length > 0) this.#pieces.push(BREAKS[this.#break] as string);
    this.#pieces.push(text);
    this.#break = words.at(-1) === "" ? SPACE : 0;
  }

  get text(): string {
    return this.#pieces.join("");
  }
}
