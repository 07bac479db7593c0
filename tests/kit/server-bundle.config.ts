import { pathToFileURL } from "node:url";

/** What a module asks where it is: its answer is the place of its source, so that what lies beside it is found. */
function fixPlace(code: string, id: string): string {
  const path = id.split("?", 1)[0] as string;
  return code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    .replaceAll("import.meta.filename", JSON.stringify(path))
    .replaceAll("import.meta.dirname", JSON.stringify(path.slice(0, path.lastIndexOf("/"))));
}

/* How vite joins the server's sources and all that they import (tests/kit/server-bundle.ts). */
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
