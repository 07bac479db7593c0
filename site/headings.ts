import type Token from "markdown-it/lib/token.mjs";

/** A heading below the page's own. */
export interface Heading {
  id: string;
  level: number;
  text: string;
}

/** A part of a page that the search finds: what follows one heading. */
export interface Passage {
  /** Anchor of its heading; empty for what stands above the first. */
  anchor: string;
  heading: string;
  text: string;
}

/** Gives each heading the id that Git hosts give it, so that links to it work there and here. */
export function nameHeadings(tokens: Token[]): void {
  const seen = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const name = toId(plainText(tokens[i + 1]));
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    token.attrSet("id", count === 0 ? name : `${name}-${count}`);
  }
}

/** Returns the headings of levels 2 and 3, for the page's own contents. */
export function listHeadings(tokens: Token[]): Heading[] {
  return tokens.flatMap((token, i) => {
    const level = Number(token.tag.slice(1));
    if (token.type !== "heading_open" || level < 2 || level > 3) return [];
    return { id: token.attrGet("id") ?? "", level, text: plainText(tokens[i + 1]) };
  });
}

/** Cuts a page into the passages below its headings. */
export function listPassages(tokens: Token[]): Passage[] {
  const passages: Passage[] = [{ anchor: "", heading: "", text: "" }];
  for (const [i, token] of tokens.entries()) {
    const isHeading = tokens[i - 1]?.type === "heading_open";
    if (token.type === "heading_open" && token.tag !== "h1")
      passages.push({ anchor: token.attrGet("id") ?? "", heading: plainText(tokens[i + 1]), text: "" });
    const last = passages.at(-1) as Passage;
    if (token.type === "inline" && !isHeading) last.text += `${plainText(token)} `;
    if (token.type === "fence") last.text += `${token.content} `;
  }
  return passages
    .map((passage) => ({ ...passage, text: passage.text.replaceAll(/\s+/g, " ").trim() }))
    .filter(({ heading, text }) => heading !== "" || text !== "");
}

function toId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : type === "html_inline" ? "" : content))
    .join("");
}
