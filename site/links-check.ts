import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE } from "./contents.ts";

/** Paths of the same origin that the server has beside the site. */
const SERVER = new Set(["/", "/docs", "/llms.txt", "/openapi.json", "/favicon.svg"]);

/**
 * Checks the built pages as a browser reads them: each link and file within the origin leads to a file of the site or
 * to a page of the server, and each anchor to an element. Returns a line for each that does not.
 */
export function findDeadLinks(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const files = new Set(names.map((name) => `${BASE}/${name}`));
  const pages = new Map(
    names
      .filter((name) => name.endsWith(".html"))
      .map((name) => [pathOf(name), readFileSync(join(folder, name), "utf8")]),
  );
  const idsOf = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf(html, "id"))]));
  return [...pages].flatMap(([path, html]) =>
    [...new Set([...valuesOf(html, "href"), ...valuesOf(html, "src"), ...valuesOf(html, "data-search")])]
      .filter((href) => /^[/#]/.test(href))
      .filter((href) => {
        const [target = "", anchor] = href.split("#");
        const ids = idsOf.get(target || path);
        if (ids) return anchor !== undefined && anchor !== "" && !ids.has(decodeURIComponent(anchor));
        return !files.has(target) && !SERVER.has(target);
      })
      .map((href) => `${path}: ${href}`),
  );
}

function pathOf(name: string): string {
  return name === "index.html" ? BASE : `${BASE}/${name.replace(/\.html$/, "")}`;
}

/** The values of an attribute; text of a page has its quotes escaped within tags and is cut off from them. */
function valuesOf(html: string, attribute: string): string[] {
  const tags = html.match(/<[a-z][^>]*>/g) ?? [];
  return tags.flatMap((tag) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? []);
}
