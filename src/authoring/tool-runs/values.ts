/** Place in a list, as JavaScript writes it. */
const PLACE = /\[(\d+)\]/g;

/**
 * Returns the member of a JSON value at a dotted path; undefined when there is none. Only own members count. `a[0].b` is
 * `a.0.b`.
 */
export function followPath(root: unknown, path: string): unknown {
  let at = root;
  for (const name of path.replaceAll(PLACE, ".$1").replace(/^\./, "").split(".")) {
    if (at === null || typeof at !== "object" || !Object.hasOwn(at, name)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Returns JSON with the members of each object in one order, so that equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}

/** Returns the first `maxBytes` bytes of a text, never half a character, with a mark when something was cut off. */
export function shorten(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")} … (shortened)`;
}
