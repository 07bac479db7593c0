import { SourceMap } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Replaces a module's references to its own place by the place of its source, so that it finds the files beside it.
 */
function fixPlace(code, id) {
  const path = id.split("?", 1)[0];
  return code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    .replaceAll("import.meta.filename", JSON.stringify(path))
    .replaceAll("import.meta.dirname", JSON.stringify(path.slice(0, path.lastIndexOf("/"))));
}

/** Returns the address of a source that is named as in an import. */
function toUrl(id) {
  return new URL(`../${id.slice(1)}`, import.meta.url).href;
}

/**
 * Writes characters beyond ASCII as escapes: for one of them V8 keeps the whole file in two bytes a character, 5 MB more
 * of the largest. `String.raw` would show the escapes, so its text stays.
 */
function toAscii(code) {
  const escape = (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return code.replaceAll(/String\.raw`(?:[^`\\]|\\.)*`|[\u0080-\uffff]/gs, (found) =>
    found.length > 1 ? found : escape(found),
  );
}

/** Loads Node's modules by `require`: of an `import` in a script (bin/bundle.js) Node warns that it may change. */
function requireNodes(code) {
  return code.replaceAll(/(?<![.\w$])import\("((?:node:)?[a-z_/\d]+)"\)/g, 'Promise.resolve(require("$1"))');
}

/** Makes the file from which bin/source-lines.js reads where a line of a chunk came from. */
function listLines({ code, map }) {
  const positions = new SourceMap(map);
  const numbers = new Map(map.sources.map((source, number) => [source, number]));
  const lines = code.split("\n").map((_, line) => {
    const { originalSource, originalLine } = positions.findEntry(line, 0);
    return [numbers.get(originalSource) ?? -1, originalLine ?? 0];
  });
  const table = Buffer.from(Int32Array.from(lines.flat()).buffer).toString("base64");
  return JSON.stringify({ sources: map.sources, table });
}

/** The command line, which no server runs: left to its sources, it would make a hundred files of the server's. */
const COMMAND_LINE = "#src/surfaces/cli/program.ts";

/*
 * Vite settings that bundle the server's sources and all their imports into a few files (bin/server-bundle.js). They are
 * CommonJS: only of such scripts can Node keep the functions that were compiled at their first call (bin/bundle.js), and
 * an `import` of node:http reads its members at once, among them the lazy WebSocket, for which Node then evaluates its
 * whole copy of undici.
 */
export default {
  logLevel: "warn",
  plugins: [
    {
      name: "places",
      enforce: "pre",
      transform: (code, id) => (code.includes("import.meta.") ? { code: fixPlace(code, id), map: null } : null),
    },
    {
      name: "command line",
      enforce: "pre",
      resolveId: (id) => (id === COMMAND_LINE ? { id: toUrl(id), external: true } : null),
    },
    {
      name: "lines",
      generateBundle(_options, files) {
        for (const [name, file] of Object.entries(files)) {
          if (name.endsWith(".map")) delete files[name];
          if (file.type === "chunk") file.code = toAscii(requireNodes(file.code));
          if (!file.map) continue;
          this.emitFile({ type: "asset", fileName: `${name}.lines`, source: listLines(file) });
        }
      },
    },
  ],
  ssr: { noExternal: true },
  build: {
    ssr: "src/main.ts",
    target: "node24",
    minify: false,
    sourcemap: "hidden",
    rolldownOptions: {
      output: {
        format: "cjs",
        strict: true,
        comments: false,
        keepNames: true,
        entryFileNames: "[name].cjs",
        chunkFileNames: "[name]-[hash].cjs",
      },
    },
  },
};
