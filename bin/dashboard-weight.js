import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./runtime.js";

const dist = join(root, "web", "dist");
/** Budget of the first load in gzipped bytes; `npm test` fails beyond it. */
const LIMIT = 180_000;
const FIRST_SCREENS = ["index.html", "src/main.tsx"];

/** Gzipped bytes of the scripts that home needs before it can be used, and how many they may be. */
export function weighFirstLoad() {
  const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8"));
  const files = new Set();
  for (const name of FIRST_SCREENS) collect(manifest, name, files);
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), limit: LIMIT };
}

function collect(manifest, name, files) {
  const { file, imports = [] } = manifest[name];
  if (files.has(file)) return;
  files.add(file);
  for (const imported of imports) collect(manifest, imported, files);
}
