import { fileURLToPath } from "node:url";
import { PageFiles } from "#src/platform/http/page-files.ts";
import {
  cacheRule,
  guardHeaders,
  type PageAnswer,
  type PageAsk,
  type Pages,
  sendFile,
} from "#src/platform/http/pages.ts";

const BUILD = fileURLToPath(new URL("../../../site/dist", import.meta.url));
const BASE = "/docs/guides";
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A page of the documentation, as `npm run docs` lists it. */
export interface Guide {
  /** Path from the origin. */
  path: string;
  title: string;
  summary: string;
}

/** Serves the documentation that `npm run docs` built at /docs/guides, or instructions to build it. */
export function createGuides(publicUrl: string, folder: string = BUILD): Pages {
  const files = new PageFiles(folder);
  const guards = guardHeaders(publicUrl, POLICY);
  return {
    answer(ask) {
      const [url = "", query] = ask.url.split(/(?=\?)/, 2);
      if ((ask.method !== "GET" && ask.method !== "HEAD") || !isBelow(url)) return null;
      if (!files.index) return notBuilt(guards);
      // A source is linked as `flows.md`, its page is `flows`.
      const path = url.slice(BASE.length).replace(/\/+$|\.md$/, "");
      if (url !== BASE + path) {
        const location = `${BASE}${path}${query ?? ""}`;
        return { status: 308, headers: { ...guards, location }, body: "" };
      }
      const file = files.find(/\.\w+$/.test(path) ? path : `${path || "/index"}.html`);
      if (file) return sendFile(file, ask, { ...guards, "cache-control": cacheRule(path) });
      return isPage(ask) ? notFound(files, guards) : null;
    },
  };
}

/** Returns the pages of the documentation, with what each is about; none when it is not built. */
export function listGuides(folder: string = BUILD): Guide[] {
  const list = new PageFiles(folder).find("/guides.json");
  return list ? (JSON.parse(list.bytes.toString()) as Guide[]) : [];
}

function isBelow(path: string): boolean {
  return path === BASE || path.startsWith(`${BASE}/`);
}

/** True for a visitor who reads HTML; programs get the API's own 404. */
function isPage({ headers }: PageAsk): boolean {
  return /\btext\/html\b/.test(headers.accept ?? "");
}

function notFound(files: PageFiles, guards: Record<string, string>): PageAnswer | null {
  const page = files.find("/404.html");
  if (!page) return null;
  const headers = { ...guards, "content-type": page.type, "cache-control": "no-cache" };
  return { status: 404, headers, body: page.bytes };
}

function notBuilt(guards: Record<string, string>): PageAnswer {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Parley documentation</title>
  </head>
  <body>
    <h1>The documentation is not built</h1>
    <p>Run <code>npm run docs</code> in the folder of the server and load this page again; a restart is not needed.</p>
    <p>The sources are Markdown files in its folder <code>docs</code>. The <a href="/docs">API reference</a> works meanwhile.</p>
  </body>
</html>
`;
  const headers = { ...guards, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { status: 503, headers, body };
}
