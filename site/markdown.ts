import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";
import { BASE, type GuidePage, ROOT } from "./contents.ts";
import { nameHeadings } from "./headings.ts";

const LANGUAGES = { bash, http, ini, javascript, json, nginx, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Links and pictures of the pages, as they are rewritten. */
export interface Links {
  /** Each page by the path of its source. */
  pages: Map<string, Pick<GuidePage, "slug" | "title">>;
  /** Address at which the checkout's files can be read; without it, links to files that are no pages become plain text. */
  repository: string | undefined;
  /** Pictures to copy: path in the checkout by path on the site. */
  pictures: Map<string, string>;
  /** Links that lead nowhere, a line each. */
  faults: string[];
}

/** Data that Eleventy passes with a page's text. */
interface Env {
  source: string;
}

/** Creates the renderer of Markdown: named headings, links within the site, coloured code, tables that scroll. */
export function createMarkdown(links: Links): MarkdownIt {
  const markdown = new MarkdownIt({ html: true, highlight });
  markdown.core.ruler.push("headings", ({ tokens }) => nameHeadings(tokens));
  markdown.core.ruler.push("links", ({ tokens, env }) => {
    for (const { children } of tokens) rewriteLinks(children ?? [], links, (env as Env).source);
  });
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  rules.heading_close = (tokens, at) => {
    const id = tokens[at - 2]?.attrGet("id");
    const anchor = id ? ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>` : "";
    return `${anchor}</${tokens[at]?.tag}>\n`;
  };
  return markdown;
}

function highlight(code: string, language: string, attributes: string): string {
  const html = hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
  const file = /^saved as (\S+)$/.exec(attributes)?.[1];
  const name = file === undefined ? "" : ` data-file="${escapeHtml(file)}"`;
  return `<pre tabindex="0"${name}><code>${html}</code></pre>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function rewriteLinks(tokens: Token[], links: Links, source: string): void {
  let isText = false;
  for (const [i, token] of tokens.entries()) {
    if (token.type === "image") token.attrSet("src", placePicture(token.attrGet("src") ?? "", links, source));
    if (token.type === "link_open") {
      const written = token.attrGet("href") ?? "";
      const href = placeLink(written, links, source);
      nameByTitle(tokens[i + 1], links.pages.get(targetOf(written, source)));
      isText = href === undefined;
      if (href !== undefined) token.attrSet("href", href);
      else token.attrs = [["class", "file"]];
    }
    if (isText && token.type.startsWith("link_")) token.tag = "span";
  }
}

/** Gives a link that is written as a file's name, such as flows.md, the title of the page. */
function nameByTitle(label: Token | undefined, page: Pick<GuidePage, "title"> | undefined): void {
  if (page && label?.content.endsWith(".md")) label.content = page.title;
}

function targetOf(href: string, source: string): string {
  return posix.join(posix.dirname(source), href.split("#", 1)[0] as string);
}

/** Returns where a link leads on the site; undefined for a file of the checkout that cannot be shown. */
function placeLink(href: string, { pages, repository, faults }: Links, source: string): string | undefined {
  if (/^([a-z]+:|\/|#)/i.test(href)) return href;
  const target = targetOf(href, source);
  const slug = pages.get(target)?.slug;
  if (slug !== undefined) return `${BASE}${slug === "" ? "" : "/"}${slug}${/#.*/.exec(href)?.[0] ?? ""}`;
  if (extname(target) === ".md") faults.push(`${source}: ${href} is no page of docs/README.md`);
  return repository && `${repository}/${target}`;
}

function placePicture(src: string, { pictures }: Links, source: string): string {
  const path = posix.join(posix.dirname(source), src);
  const { name, ext } = posix.parse(path);
  const hash = createHash("sha256")
    .update(readFileSync(join(ROOT, path)))
    .digest("hex")
    .slice(0, 10);
  const target = `assets/${name}-${hash}${ext}`;
  pictures.set(target, path);
  return `${BASE}/${target}`;
}
