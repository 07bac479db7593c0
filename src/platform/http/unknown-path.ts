import { findNearest } from "./nearest-name.ts";
import type { Route } from "./route.ts";

const API = "/api/external/v1";

/**
 * Returns a function that describes a path below the external API that none of these routes has: it names the path that
 * is most likely misspelt, and the document that lists all. It gives undefined for other paths.
 */
export function describeUnknownPaths(routes: readonly Route[]): (url: string) => string | undefined {
  // A parameter has no spelling to compare with.
  const known = routes.map((declared) => declared.path).filter((one) => one.startsWith(API) && !one.includes("{"));
  const names = [...new Set(known.map((one) => one.slice(API.length)))];
  return (url) => {
    const [path = ""] = url.split("?", 1);
    if (!path.startsWith(`${API}/`)) return undefined;
    const nearest = findNearest(path.slice(API.length), names);
    const hint = nearest === null ? "" : ` Did you mean ${API}${nearest}?`;
    return `No operation has this path.${hint} /openapi.json lists them.`;
  };
}
