import type { SchemaPlace } from "./schema-walk.ts";

interface Level {
  object: Map<string, number>;
  array: Map<string, number>;
}

/**
 * Returns the upper bound of how many times a schema judges one part of a value up to `maxDepth` levels down; Infinity
 * when the schema refers to itself on the same part. A chain of `allOf: [{$ref: a}, {$ref: a}]` doubles the work at
 * each link, so forty short definitions would keep a processor busy for years.
 */
export function countJudgements(places: Map<string, SchemaPlace>, maxDepth: number): number {
  let most = 0;
  let above: Level | undefined;
  for (let depth = 0; depth <= maxDepth; depth++) {
    const level: Level = { object: new Map(), array: new Map() };
    for (const place of places.keys()) {
      for (const kind of ["object", "array"] as const) {
        const count = countAt(places, place, kind, level, above);
        if (place === "#") most = Math.max(most, count);
        if (count === Infinity) return Infinity;
      }
    }
    above = level;
  }
  return most;
}

/**
 * Counts for one place. `above` holds the counts of one level less; the value is an object or an array for all places
 * that judge it.
 */
function countAt(
  places: Map<string, SchemaPlace>,
  name: string,
  kind: keyof Level,
  level: Level,
  above: Level | undefined,
): number {
  const known = level[kind].get(name);
  if (known !== undefined) return known;
  // Met again before it is counted: the place judges the same part without end.
  level[kind].set(name, Infinity);
  const place = places.get(name) as SchemaPlace;
  let count = above ? 0 : 1;
  for (const other of place.inPlace) count += countAt(places, other, kind, level, above);
  if (above) count += countBelow(place, kind, above);
  level[kind].set(name, count);
  return count;
}

function countBelow(place: SchemaPlace, kind: keyof Level, above: Level): number {
  const at = (name: string): number => Math.max(above.object.get(name) ?? 0, above.array.get(name) ?? 0);
  if (kind === "array") return place.items.reduce((sum, name) => sum + at(name), 0);
  const oneMember = place.members.reduce((most, name) => Math.max(most, at(name)), 0);
  return place.anyMember.reduce((sum, name) => sum + at(name), oneMember);
}
