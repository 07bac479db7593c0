import { findNearest } from "./nearest-name.ts";
import { EXTERNAL_API, type Route } from "./route.ts";

/**
 * Returns a function that describes a path below the external API that none of these routes has: it names the path that
 * is most likely misspelt, and the document that lists all. Elsewhere it names the operation whose path is written out
 * under another prefix, and gives undefined for all other paths.
 */
export function describeUnknownPaths(routes: readonly Route[]): (url: string) => string | undefined {
  const known = routes.map((declared) => declared.path).filter((one) => one.startsWith(EXTERNAL_API));
  const names = [...new Set(known.map((one) => one.slice(EXTERNAL_API.length)))];
  const fixed = names.filter((one) => !one.includes("{"));
  return (url) => {
    const [path = ""] = url.split("?", 1);
    const isBelow = path.startsWith(`${EXTERNAL_API}/`);
    const given = path.slice(EXTERNAL_API.length);
    const nearest = isBelow
      ? (findNearest(given, fixed) ?? nearestWithParameters(given, names))
      : fixed.find((name) => path.endsWith(name));
    if (!isBelow && nearest === undefined) return undefined;
    const hint = nearest ? ` Did you mean ${EXTERNAL_API}${nearest}?` : "";
    return `No operation has this path.${hint} /openapi.json lists them.`;
  };
}

/** Compares what is written out; the value of a parameter has no spelling to compare with. */
function nearestWithParameters(given: string, names: readonly string[]): string | null {
  const segments = given.split("/");
  const near = names.filter((name) => {
    const parts = name.split("/");
    if (parts.length !== segments.length || !name.includes("{")) return false;
    return parts.every(
      (part, at) => part.startsWith("{") || findNearest(segments[at] ?? "", [part]) === part || at === 0,
    );
  });
  return near[0] ?? null;
}
