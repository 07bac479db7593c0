import { findNearest } from "./nearest-name.ts";
import { EXTERNAL_API, type Route } from "./route.ts";

/**
 * Returns a function that describes a path below the external API that none of these routes has: it names the path that
 * is most likely misspelt, and the document that lists all. It gives undefined for other paths.
 */
export function describeUnknownPaths(routes: readonly Route[]): (url: string) => string | undefined {
  // A parameter has no spelling to compare with.
  const known = routes
    .map((declared) => declared.path)
    .filter((one) => one.startsWith(EXTERNAL_API) && !one.includes("{"));
  const names = [...new Set(known.map((one) => one.slice(EXTERNAL_API.length)))];
  return (url) => {
    const [path = ""] = url.split("?", 1);
    if (!path.startsWith(`${EXTERNAL_API}/`)) return undefined;
    const nearest = findNearest(path.slice(EXTERNAL_API.length), names);
    const hint = nearest === null ? "" : ` Did you mean ${EXTERNAL_API}${nearest}?`;
    return `No operation has this path.${hint} /openapi.json lists them.`;
  };
}
