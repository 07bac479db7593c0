/** At-rules whose block contains rules. */
const GROUPS = /^@(media|supports|container|layer)\b/;
/** Class names of Mantine's components. */
const CLASSES = /\.(m_[0-9a-f]+)\b/g;

/** Removes the rules of Mantine's classes that are not in `used`; all other rules stay. */
export function pruneStyles(css: string, used: Set<string>): string {
  let kept = "";
  for (let at = 0; at < css.length;) {
    const open = findEnd(css, at, "{;");
    if (css[open] !== "{") {
      kept += css.slice(at, open + 1);
      at = open + 1;
      continue;
    }
    const close = findEnd(css, open + 1, "}");
    kept += pruneBlock(css.slice(at, open), css.slice(open + 1, close), used);
    at = close + 1;
  }
  return kept;
}

function pruneBlock(head: string, body: string, used: Set<string>): string {
  const name = head.trim();
  if (GROUPS.test(name)) {
    const inside = pruneStyles(body, used);
    // An empty layer stays, because it sets the order of the layers.
    return inside.trim() === "" && !name.startsWith("@layer") ? "" : `${head}{${inside}}`;
  }
  if (name.startsWith("@")) return `${head}{${body}}`;
  const selectors = splitSelectors(head).filter((selector) => canMatch(selector, used));
  return selectors.length === 0 ? "" : `${selectors.join(",")}{${body}}`;
}

/**
 * True when the selector's classes are all used. Parentheses are ignored: they may hold alternatives, as in `:is()`, or
 * exclusions, as in `:not()`.
 */
function canMatch(selector: string, used: Set<string>): boolean {
  const classes = withoutParentheses(selector).matchAll(CLASSES);
  return [...classes].every(([, name = ""]) => used.has(name));
}

function withoutParentheses(selector: string): string {
  const less = selector.replaceAll(/\([^()]*\)/g, "");
  return less === selector ? less : withoutParentheses(less);
}

function splitSelectors(head: string): string[] {
  const selectors: string[] = [];
  for (let at = 0; at <= head.length;) {
    const end = findEnd(head, at, ",");
    selectors.push(head.slice(at, end));
    at = end + 1;
  }
  return selectors;
}

/**
 * Index of the first of the characters outside strings, comments, parentheses and inner blocks; the text's end without
 * one.
 */
function findEnd(text: string, from: number, ends: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const one = text[at] as string;
    if (depth === 0 && ends.includes(one)) return at;
    if (one === "\\") at++;
    else if (one === '"' || one === "'") at = findQuote(text, at);
    else if (one === "/" && text[at + 1] === "*") at = text.indexOf("*/", at) + 1;
    else if ("([{".includes(one)) depth++;
    else if (")]}".includes(one)) depth--;
  }
  return text.length;
}

function findQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== text[open]) at += text[at] === "\\" ? 2 : 1;
  return at;
}
