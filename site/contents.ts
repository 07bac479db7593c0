import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The checkout that the pages are made of. */
export const ROOT = dirname(import.meta.dirname);
/** Path below which the server serves the site. */
export const BASE = "/docs/guides";

const INDEX = "docs/README.md";

/** A page of the site. */
export interface GuidePage {
  /** Path of its Markdown from the checkout, such as docs/flows.md. */
  source: string;
  /** Path on the site, such as flows. */
  slug: string;
  title: string;
  /** Summary of the page, from the index. */
  summary: string;
  /** Its Markdown. */
  text: string;
}

/** A group of pages: a heading of docs/README.md. */
export interface GuideSection {
  title: string;
  pages: GuidePage[];
}

/**
 * Reads the index of the documentation, docs/README.md: its headings are the sections of the site, and its list items
 * the pages, each a link and what the page is about. Throws when a page of docs/ is not in it.
 */
export function readSections(): GuideSection[] {
  const sections = readText(INDEX)
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ title: part.split("\n", 1)[0] as string, pages: readItems(part) }));
  const listed = new Set([INDEX, ...sections.flatMap(({ pages }) => pages.map(({ source }) => source))]);
  const missing = globSync("docs/**/*.md", { cwd: ROOT }).filter((path) => !listed.has(path));
  if (missing.length > 0) throw new Error(`${INDEX} does not list ${missing.toSorted().join(", ")}.`);
  return sections;
}

function readItems(part: string): GuidePage[] {
  return part
    .split(/^- /m)
    .slice(1)
    .map((item) => {
      const [, label = "", href = "", summary = ""] = /^\[([^\]]+)\]\(([^)#]+\.md)\)(?:: )?(.*)$/s.exec(item) ?? [];
      if (href === "") throw new Error(`${INDEX}: "- ${item.trim()}" is not a link to a page and what it is about.`);
      return readPage(posix.join(posix.dirname(INDEX), href), label, summary);
    });
}

/** A label that is a file's name gives way to the page's own heading, up to a colon. */
function readPage(source: string, label: string, summary: string): GuidePage {
  const text = readText(source);
  const heading = /^# (.+)$/m.exec(text)?.[1];
  if (heading === undefined) throw new Error(`${source} has no heading.`);
  return {
    source,
    slug: source
      .replace(/^docs\//, "")
      .replace(/\.md$/, "")
      .toLowerCase(),
    title: label.endsWith(".md") ? (heading.split(":", 1)[0] as string) : label,
    summary: summary
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/^./, (first) => first.toUpperCase()),
    text,
  };
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
