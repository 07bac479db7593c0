/** Names of fields whose values are masked. */
const SECRET = /secret|password|apikey|headervalue|token$/i;
const MASK = "••••••";

type Fields = Record<string, unknown>;

/**
 * Returns the fields in which two versions of a form differ, ready to show: secrets are masked, JSON texts are parsed.
 */
export function findDifferences<T extends object>(one: T, other: T): { left: Fields; right: Fields } {
  const [left, right] = [one as Fields, other as Fields];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );
  const pick = (from: Fields) => Object.fromEntries(names.map((name) => [name, show(name, from[name])]));
  return { left: pick(left), right: pick(right) };
}

function show(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [inner, show(SECRET.test(name) ? name : inner, one)]),
    );
  }
  if (typeof value !== "string" || value === "") return value ?? null;
  return SECRET.test(name) ? MASK : readJson(value);
}

function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
