import { findNearest } from "./nearest-name.ts";
import type { Route } from "./route.ts";

const API = "/api/external/v1";

/**
 * Returns what to say of a path below the external API that no route has: the path that it most likely misspells, and
 * the document that lists all. Undefined for other paths.
 */
export function describeUnknownPath(routes: readonly Route[], url: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  if (!path.startsWith(`${API}/`)) return undefined;
  // A parameter has no spelling to compare with.
  const known = routes.map((declared) => declared.path).filter((one) => one.startsWith(API) && !one.includes("{"));
  const names = [...new Set(known.map((one) => one.slice(API.length)))];
  const nearest = findNearest(path.slice(API.length), names);
  const hint = nearest === null ? "" : ` Did you mean ${API}${nearest}?`;
  return `No operation has this path.${hint} /openapi.json lists them.`;
}
