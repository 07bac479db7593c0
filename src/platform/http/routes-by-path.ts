import type { Route } from "./route.ts";

/** Routes of a server by their paths. A written part of a path goes before a parameter, and that before the rest. */
export interface RoutesByPath {
  /** Returns the route of a request and the values of its path; HEAD has the route of GET. Null: no route takes it. */
  find(method: string, url: string): FoundRoute | null;
  /** Returns the routes of the path of a URL, whatever their methods; none for a path that no route has. */
  ofPath(url: string): readonly Route[];
}

/** A route, and the values of the parameters of its path. */
export interface FoundRoute {
  declared: Route;
  params: Record<string, string>;
}

/** A part of a path, and what may follow it. */
interface Part {
  /** Routes of the path that ends here; empty where none does. */
  routes: Route[];
  written: Map<string, Part>;
  /** The part that is a parameter. */
  parameter?: Part;
  /** The end that takes whatever follows. */
  rest?: Part;
}

/** Longest value of a parameter; no route is found for a longer one. */
const MAX_VALUE_CHARACTERS = 400;

/** The last part of a path that takes the rest of a URL's. */
const REST = "*";

const isParameter = (part: string): boolean => part.startsWith("{");

/**
 * Returns the routes by their paths, whose parameters are whole parts; "*" at the end is the rest. Throws for two of one
 * method and path.
 */
export function indexByPath(routes: readonly Route[]): RoutesByPath {
  const root: Part = { routes: [], written: new Map() };
  for (const declared of routes) addTo(root, declared);
  return {
    find(method, url) {
      const wanted = method === "HEAD" ? "GET" : method;
      const parts = partsOf(url);
      const end = walk(root, parts, 0, (declared) => declared.method === wanted);
      const declared = end?.routes.find((one) => one.method === wanted);
      return declared ? readValues(declared, parts) : null;
    },
    ofPath: (url) => walk(root, partsOf(url), 0, () => true)?.routes ?? [],
  };
}

function addTo(root: Part, declared: Route): void {
  let at = root;
  for (const part of declared.path.split("/")) at = follow(at, part);
  const other = at.routes.find(({ method }) => method === declared.method);
  if (other) throw new Error(`Two routes take ${other.method} ${other.path}.`);
  at.routes.push(declared);
}

function follow(from: Part, part: string): Part {
  const made: Part = { routes: [], written: new Map() };
  if (part === REST) return (from.rest ??= made);
  if (isParameter(part)) return (from.parameter ??= made);
  const next = from.written.get(part) ?? made;
  from.written.set(part, next);
  return next;
}

/** Returns the part at which a path with such a route ends. */
function walk(from: Part, parts: string[], at: number, isWanted: (declared: Route) => boolean): Part | null {
  if (at === parts.length) return from.routes.some(isWanted) ? from : null;
  for (const next of [from.written.get(parts[at] as string), from.parameter]) {
    const end = next ? walk(next, parts, at + 1, isWanted) : null;
    if (end) return end;
  }
  return from.rest?.routes.some(isWanted) ? from.rest : null;
}

function readValues(declared: Route, parts: string[]): FoundRoute | null {
  const params: Record<string, string> = {};
  for (const [at, part] of declared.path.split("/").entries()) {
    const value = parts[at] as string;
    if (part === REST) params[REST] = parts.slice(at).join("/");
    else if (isParameter(part) && value.length > MAX_VALUE_CHARACTERS) return null;
    else if (isParameter(part)) params[part.slice(1, -1)] = value;
  }
  return { declared, params };
}

/** Parts of a URL's path, which clients of a proxy send with its host. The server has refused what cannot be decoded. */
function partsOf(url: string): string[] {
  const [given = ""] = url.split(/[?#]/, 1);
  const path = given.startsWith("/") ? given : given.replace(/^https?:\/\/[^/]+/i, "") || "/";
  return path.split("/").map((part) => (part.includes("%") ? decodeURIComponent(part) : part));
}
