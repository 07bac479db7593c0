import { createHash } from "node:crypto";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { shortenKeys } from "./src/i18n/keys.ts";
import { resolveBreakpoints } from "./src/ui/theme/breakpoints.ts";
import { pruneStyles } from "./src/ui/theme/prune-styles.ts";

const server = process.env.PARLEY_URL ?? "http://localhost:8080";

/** What web/src/start.ts begins. */
const BEGUN = ["src/react-first.ts", "src/main.tsx"];

/** Has the browser fetch the scripts of the first load at once, not each when another one names it. */
const fetchAtOnce: Plugin = {
  name: "fetch-at-once",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const entries = Object.values(bundle)
        .filter((part) => part.type === "chunk")
        .filter(({ facadeModuleId }) => BEGUN.some((path) => facadeModuleId?.endsWith(`/web/${path}`)));
      if (entries.length !== BEGUN.length) throw new Error(`The build has not all of ${BEGUN.join(", ")}.`);
      const files = new Set<string>();
      for (const { fileName } of entries) collectFiles(bundle, fileName, files);
      return [...files]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
          injectTo: "head",
        }));
    },
  },
};

function collectFiles(bundle: Rolldown.OutputBundle, file: string, files: Set<string>): void {
  const part = bundle[file];
  if (part?.type !== "chunk" || files.has(file)) return;
  files.add(file);
  for (const imported of part.imports) collectFiles(bundle, imported, files);
}

/**
 * Leaves out the styles of Mantine's components that no screen has: a third of its one style sheet. Browsers keep that
 * for ever by its name, so it is named anew, after what is left.
 */
const pruneMantine: Plugin = {
  name: "prune-mantine",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const parts = Object.values(bundle);
      const scripts = parts.map((part) => (part.type === "chunk" ? part.code : "")).join("\n");
      const page = bundle["index.html"];
      const named = parts.find(({ fileName }) => fileName.endsWith(".css") && textOf(page).includes(fileName));
      if (!named || scripts.includes(named.fileName)) throw new Error("The page must name its style sheet, alone.");
      const source = pruneStyles(textOf(named), new Set(scripts.match(/\bm_[0-9a-f]+\b/g)));
      const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
      const fileName = `assets/index-${hash}.css`;
      for (const part of parts) {
        if (part.type === "asset" && /\.(html|json)$/.test(part.fileName))
          part.source = textOf(part).replaceAll(named.fileName, fileName);
      }
      delete bundle[named.fileName];
      this.emitFile({ type: "asset", fileName, source });
    },
  },
};

/** Lets style sheets name the breakpoints that components have. */
const nameBreakpoints: Plugin = {
  name: "name-breakpoints",
  enforce: "pre",
  transform: {
    filter: { id: /\/web\/src\/.*\.css$/ },
    handler: (css) => resolveBreakpoints(css),
  },
};

/** Gives the messages of a catalogue their short keys. */
const shortenCatalogues: Plugin = {
  name: "shorten-catalogues",
  enforce: "pre",
  transform: {
    filter: { id: /\/web\/src\/i18n\/catalogues\/\w+\.json$/ },
    handler: (json) => ({ code: JSON.stringify(shortenKeys(JSON.parse(json))), map: null }),
  },
};

function textOf(part: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): string {
  return part?.type === "asset" ? Buffer.from(part.source).toString() : "";
}

export default defineConfig({
  plugins: [react(), nameBreakpoints, shortenCatalogues, fetchAtOnce, pruneMantine],
  json: { stringify: true, namedExports: false },
  build: {
    target: "es2023",
    // Assets have a path of their own, which the server lets browsers keep for ever.
    assetsDir: "assets",
    assetsInlineLimit: 0,
    // Tells which files the first screen needs, to weigh them.
    manifest: true,
    // Names the packages in the scripts, with the licences that ask for that.
    license: { fileName: ".vite/licences.md" },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The second is begun by the first; it is named here because what an entry needs is one file by the rule below.
      input: ["index.html", "src/main.tsx"],
      output: {
        codeSplitting: {
          groups: [
            // Begun before all else, so it stays small and needs nothing of the others.
            {
              name: "early",
              test: /(api\/early-home\.ts|i18n\/(catalogue|keys|language)\.ts|vite\/preload-helper\.js|rolldown\/runtime\.js)$/,
              priority: 3,
            },
            { name: "react", test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What every page needs is one file: cut small for the screens that share parts of it, it would weigh more.
            {
              name: "base",
              tags: ["$initial"],
              test: (id) => !/(\/start\.ts|\/index\.html|\.css)$/.test(id),
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: server } } },
});
