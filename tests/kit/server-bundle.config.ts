import { pathToFileURL } from "node:url";

/**
 * Replaces a module's references to its own location by the location of its source, so that files beside it are found.
 */
function fixPlace(code: string, id: string): string {
  const path = id.split("?", 1)[0] as string;
  return code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    .replaceAll("import.meta.filename", JSON.stringify(path))
    .replaceAll("import.meta.dirname", JSON.stringify(path.slice(0, path.lastIndexOf("/"))));
}

/* Vite settings that bundle the server's sources and all their imports (tests/kit/server-bundle.ts). */
export default {
  logLevel: "warn",
  plugins: [
    {
      name: "places",
      enforce: "pre",
      transform: (code: string, id: string) =>
        code.includes("import.meta.") ? { code: fixPlace(code, id), map: null } : null,
    },
  ],
  ssr: { noExternal: true },
  build: { ssr: "src/main.ts", target: "node24", minify: false },
};
