import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildOnce } from "./build-once.js";
import { root } from "./runtime.js";

const SOURCES = ["src", "public", "index.html", "vite.config.ts", "package.json"];

/** Builds the dashboard's pages by Vite, as buildOnce says. */
export async function buildDashboard(node) {
  if (!existsSync(join(root, "web", "index.html"))) return false;
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  return buildOnce(node, {
    name: "dashboard",
    folder: "web",
    sources: SOURCES.map((name) => `web/${name}`),
    command: (program, output) => [program, vite, "build", "--outDir", output, "--emptyOutDir", "--logLevel", "warn"],
    cwd: join(root, "web"),
    packed: [".js", ".css"],
  });
}
