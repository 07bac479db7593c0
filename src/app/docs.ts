import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CachedDocument } from "#src/platform/http/cached-document.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyValue } from "#src/platform/http/schemas.ts";
import { type Guide, listGuides } from "#src/surfaces/guides/guides.ts";

const open = { audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;

/** Files of Swagger UI that the page loads; no other file of the package is served. */
const ASSETS = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
} as const;
type Asset = keyof typeof ASSETS;

// The page connects only to its own origin: no font, validator or telemetry of third parties.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parley API reference</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The API is described in <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
});
`;

/**
 * Returns the routes of the reference at /docs, where Swagger UI shows this server's own document, and of /llms.txt for
 * models.
 */
export function docsRoutes(documented: Route[], publicUrl: string): Route[] {
  const llms = new CachedDocument(() => describeForModels(documented, listGuides(), publicUrl), typed("text/plain"));
  const start = new CachedDocument(() => START, typed("text/javascript"));
  const page = new CachedDocument(() => PAGE, { ...typed("text/html"), "content-security-policy": PAGE_POLICY });
  return [
    route({
      ...open,
      method: "GET",
      path: "/docs",
      summary: "The API reference, to read and to try",
      replies: { 200: anyValue("HTML.") },
      run: async ({ headers }) => page.answer(headers),
    }),
    route({
      ...open,
      method: "GET",
      path: "/docs/start.js",
      summary: "Starts the reference page",
      replies: { 200: anyValue("JavaScript.") },
      run: async ({ headers }) => start.answer(headers),
    }),
    ...(Object.keys(ASSETS) as Asset[]).map(assetRoute),
    route({
      ...open,
      method: "GET",
      path: "/llms.txt",
      summary: "What this service can do, for language models",
      replies: { 200: anyValue("Markdown.") },
      run: async ({ headers }) => llms.answer(headers),
    }),
  ];
}

function typed(type: string): Record<string, string> {
  return { "content-type": `${type}; charset=utf-8` };
}

/** A path of its own for each file, since /docs/guides is the documentation's. */
function assetRoute(asset: Asset): Route {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const headers = { "content-type": ASSETS[asset], "cache-control": "public, max-age=3600" };
  const file = new CachedDocument(() => readFileSync(join(folder, asset)), headers);
  return route({
    ...open,
    method: "GET",
    path: `/docs/${asset}`,
    summary: "A file of the reference page",
    replies: { 200: anyValue("A file.") },
    run: async ({ headers: asked }) => file.answer(asked),
  });
}

function describeForModels(documented: Route[], guides: Guide[], publicUrl: string): string {
  const pages = guides.map(({ path, title, summary }) => `- [${title}](${publicUrl}${path}): ${summary}`);
  const lines = documented.map((one) => `- ${one.method} ${one.path}: ${one.summary}`);
  return `# Parley

> Self-hosted service that places outbound voice calls and chats, holds the conversation with an AI agent, fills a JSON
> schema from what was said, and reports back.

Every request needs \`X-API-Key: svc_live_…\`, or \`Authorization: Bearer …\` with a token from ${publicUrl}/api/oauth/token.
Numbers +1 202 555 0100 to 0199 are simulated: use them to try.

- [OpenAPI document](${publicUrl}/openapi.json): every field, status and limit
- [Reference](${publicUrl}/docs): the same, to read and try
- [Documentation](${publicUrl}/docs/guides): guides and reference, as pages for people
- MCP server: ${publicUrl}/api/mcp

${pages.length === 0 ? "" : `## Documentation\n\n${pages.join("\n")}\n\n`}## Operations

${lines.join("\n")}
`;
}
