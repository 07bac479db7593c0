/** Depth limit of flattening. Deeper levels of an extracted value become JSON in one cell. */
const MAX_DEPTH = 5;

/** Returns a value as cells: the fields of an object by dotted path, a list as JSON text. */
export function flatten(value: Record<string, unknown> | null): [path: string, value: unknown][] {
  return value === null ? [] : flattenObject(value, "", 1);
}

function flattenObject(value: object, prefix: string, depth: number): [string, unknown][] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, unknown][] => {
    const path = prefix + key;
    if (item === null || typeof item !== "object") return [[path, item]];
    if (Array.isArray(item) || depth >= MAX_DEPTH) return [[path, JSON.stringify(item)]];
    return flattenObject(item, `${path}.`, depth + 1);
  });
}
