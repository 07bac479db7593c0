type Fields = Record<string, unknown>;

/** Merges two people's changes of the same fields: mine where I changed a field, theirs everywhere else. */
export function mergeFields<T extends object>(before: T, mine: T, theirs: T): T {
  const [old, stored] = [before as Fields, theirs as Fields];
  const merged = Object.entries(mine).map(([name, value]) => [name, merge(old[name], value, stored[name])]);
  return { ...theirs, ...Object.fromEntries(merged) };
}

function merge(before: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, before)) return theirs;
  return isFields(before) && isFields(mine) && isFields(theirs) ? mergeFields(before, mine, theirs) : mine;
}

/** True when two values have the same JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Picks some fields of an item as it was read; a save of them is based on these values. */
export function pickFields<T extends object>(from: T, names: string[]): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<T>;
}
