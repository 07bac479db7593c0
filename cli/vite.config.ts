/* Bundles the command line with all its imports; bin/cli.js builds the package with it. */
export default {
  logLevel: "warn",
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: "src/surfaces/cli/packaged.ts",
    target: "node22",
    minify: false,
    license: { fileName: "licences.md" },
    rolldownOptions: { output: { entryFileNames: "parley.js", chunkFileNames: "parts/[name].js", banner: shebang } },
  },
};

/** Returns the first line of the program, which says what runs it. */
function shebang({ isEntry }: { isEntry: boolean }): string {
  return isEntry ? "#!/usr/bin/env node" : "";
}
