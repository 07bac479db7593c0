import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyValue, oneOf, Type } from "#src/http/schemas.ts";

const open = { audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;

/** Files of Swagger UI that the page loads; nothing else of the package can be asked for. */
const ASSETS = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
} as const;
type Asset = keyof typeof ASSETS;

// The page talks to its own origin alone: no font, validator or telemetry of anybody else's.
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

/** The reference at /docs, drawn by Swagger UI from this origin's own document, and /llms.txt for models. */
export function docsRoutes(documented: Route[], publicUrl: string): Route[] {
  const llms = describeForModels(documented, publicUrl);
  return [
    route({
      ...open,
      method: "GET",
      path: "/docs",
      summary: "The API reference, to read and to try",
      replies: { 200: anyValue("HTML.") },
      run: async () =>
        new Reply(200, PAGE, { "content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY }),
    }),
    route({
      ...open,
      method: "GET",
      path: "/docs/start.js",
      summary: "Starts the reference page",
      replies: { 200: anyValue("JavaScript.") },
      run: async () => new Reply(200, START, { "content-type": "text/javascript; charset=utf-8" }),
    }),
    assetRoute(),
    route({
      ...open,
      method: "GET",
      path: "/llms.txt",
      summary: "What this service can do, for language models",
      replies: { 200: anyValue("Markdown.") },
      run: async () => new Reply(200, llms, { "content-type": "text/plain; charset=utf-8" }),
    }),
  ];
}

function assetRoute(): Route {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const packed = new Map<Asset, Buffer>();
  return route({
    ...open,
    method: "GET",
    path: "/docs/{asset}",
    summary: "Files of the reference page",
    params: Type.Object({ asset: oneOf(Object.keys(ASSETS) as Asset[]) }),
    replies: { 200: anyValue("A file.") },
    async run({ params: { asset }, headers }) {
      const type = { "content-type": ASSETS[asset], "cache-control": "public, max-age=3600", vary: "accept-encoding" };
      if (!/\bgzip\b/.test(String(headers["accept-encoding"] ?? ""))) {
        return new Reply(200, readFileSync(join(folder, asset)), type);
      }
      const bytes = packed.get(asset) ?? gzipSync(readFileSync(join(folder, asset)));
      packed.set(asset, bytes);
      return new Reply(200, bytes, { ...type, "content-encoding": "gzip" });
    },
  });
}

function describeForModels(documented: Route[], publicUrl: string): string {
  const lines = documented.map((one) => `- ${one.method} ${one.path}: ${one.summary}`);
  return `# Parley

> Self-hosted service that places outbound voice calls and chats, holds the conversation with an AI agent, fills a JSON
> schema from what was said, and reports back.

Every request needs \`X-API-Key: svc_live_…\`, or \`Authorization: Bearer …\` with a token from ${publicUrl}/api/oauth/token.
Numbers +1 202 555 0100 to 0199 are simulated: use them to try.

- [OpenAPI document](${publicUrl}/openapi.json): every field, status and limit
- [Reference](${publicUrl}/docs): the same, to read and try
- MCP server: ${publicUrl}/api/mcp

## Operations

${lines.join("\n")}
`;
}
