import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildOnce } from "./build-once.js";
import { root } from "./runtime.js";

/**
 * Builds the documentation's pages from docs/ and the pages beside it, as buildOnce says. An install without development
 * has no generator; then the server says at /docs/guides how to build them.
 */
export async function buildDocumentation(node) {
  const needed = ["site/build.ts", "node_modules/@11ty/eleventy"];
  if (!needed.every((path) => existsSync(join(root, path)))) return false;
  return buildOnce(node, {
    name: "documentation",
    folder: "site",
    sources: [
      ...["client", "layouts", "pages"].map((name) => `site/${name}`),
      ...listFiles("site", ".ts").map((name) => `site/${name}`),
      ...listFiles(".", ".md"),
      "docs",
    ],
    command: (program, output) => [program, join(root, "site", "build.ts"), output],
    packed: [".js", ".css", ".html", ".json"],
  });
}

function listFiles(folder, ending) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .toSorted();
}
