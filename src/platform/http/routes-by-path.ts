import type { Route } from "./route.ts";

/** A part of a path, and what may follow it. */
interface Part {
  /** Routes of the path that ends here; empty where none does. */
  routes: Route[];
  written: Map<string, Part>;
  /** The part that is a parameter. */
  parameter?: Part;
}

const isParameter = (part: string): boolean => part.startsWith("{");

/**
 * Returns a function that gives the routes of the path of a URL, whatever their methods; none for a path that no route
 * has. It matches as the router does, which knows the paths of one method only: a written part goes before a parameter.
 */
export function indexByPath(routes: readonly Route[]): (url: string) => readonly Route[] {
  const root: Part = { routes: [], written: new Map() };
  for (const declared of routes) addTo(root, declared.path.split("/"), declared);
  return (url) => find(root, (url.split(/[?#]/, 1)[0] as string).split("/").map(decodePart), 0);
}

function addTo(root: Part, parts: string[], declared: Route): void {
  let at = root;
  for (const part of parts) {
    const next: Part = (isParameter(part) ? at.parameter : at.written.get(part)) ?? { routes: [], written: new Map() };
    if (isParameter(part)) at.parameter = next;
    else at.written.set(part, next);
    at = next;
  }
  at.routes.push(declared);
}

function find(from: Part, parts: string[], at: number): readonly Route[] {
  if (at === parts.length) return from.routes;
  for (const next of [from.written.get(parts[at] as string), from.parameter]) {
    const found = next ? find(next, parts, at + 1) : [];
    if (found.length > 0) return found;
  }
  return [];
}

/** The server has refused a URL that cannot be decoded. */
function decodePart(part: string): string {
  return part.includes("%") ? decodeURIComponent(part) : part;
}
