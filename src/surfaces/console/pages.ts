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
import { isLoopback } from "./console.ts";

const BUILD = fileURLToPath(new URL("../../../web/dist", import.meta.url));
/** Marks a URL that was redirected once: a proxy that hides the visitor's Host must not cause a loop. */
const MARK = "from-other-name";
/** Paths of programs, whose errors are JSON. */
const MACHINES = /^\/(api|docs|scim|\.well-known|metadata)(\/|$)/;

/** Serves the dashboard: files of its build, its single page for each of its paths, or instructions to build it. */
export function createPages(publicUrl: string, folder: string = BUILD): Pages {
  const files = new PageFiles(folder);
  const guards = guardHeaders(publicUrl, policyOf(publicUrl));
  return {
    answer(ask) {
      const path = ask.url.split("?", 1)[0] as string;
      if ((ask.method !== "GET" && ask.method !== "HEAD") || MACHINES.test(path)) return null;
      const file = path === "/index.html" ? undefined : files.find(path);
      if (file) return sendFile(file, ask, { ...guards, "cache-control": cacheRule(path) });
      if (!isPage(path, ask)) return null;
      const elsewhere = findRedirect(publicUrl, ask);
      if (elsewhere) return { status: 302, headers: { ...guards, location: elsewhere }, body: "" };
      const { index } = files;
      return index ? sendFile(index, ask, { ...guards, "cache-control": "no-cache" }) : notBuilt(guards);
    },
  };
}

/** True for a path of the dashboard: it has no dot in its last part, and the client accepts HTML. */
function isPage(path: string, { headers }: PageAsk): boolean {
  if (path === "/") return true;
  return !/\.[^/]*$/.test(path) && /\btext\/html\b/.test(headers.accept ?? "");
}

/**
 * Returns the redirect to the public origin, to which cookies and links belong. A visitor under another name is sent
 * there, except from another machine to this machine's loopback name.
 */
function findRedirect(publicUrl: string, { url, host }: PageAsk): string | null {
  const wanted = new URL(publicUrl);
  if (host === wanted.host || host === "" || url.includes(MARK)) return null;
  const name = host.replace(/:\d+$/, "");
  if (isLoopback(wanted.hostname) && !isLoopback(name)) return null;
  const target = new URL(publicUrl);
  const [path = "/", query = ""] = url.split(/\?(.*)/s);
  target.pathname = path;
  target.search = query === "" ? MARK : `${query}&${MARK}`;
  return target.href;
}

function policyOf(publicUrl: string): string {
  const { protocol, host } = new URL(publicUrl);
  // Mantine sets styles of single elements; scripts come only from files.
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${protocol === "https:" ? "wss" : "ws"}://${host}`,
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

function notBuilt(guards: Record<string, string>): PageAnswer {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parley</title>
  </head>
  <body>
    <h1>The dashboard is not built</h1>
    <p>Stop the server and start it with <code>npm start</code>, which builds it. The build tells what is missing if it fails.</p>
    <p>All else works meanwhile: the <a href="/docs">API</a> and the command line, <code>npx parley --help</code>.</p>
  </body>
</html>
`;
  const headers = { ...guards, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { status: 503, headers, body };
}
