import { findNearest } from "#src/platform/http/nearest-name.ts";

/** Returns the question after the tool that a wrong name most likely means; empty when none is near. */
export function askNearest(name: unknown, tools: ReadonlyMap<string, unknown>): string {
  const nearest = typeof name === "string" ? findNearest(name, [...tools.keys()]) : null;
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
