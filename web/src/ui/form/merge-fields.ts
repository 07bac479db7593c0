type Fields = Record<string, unknown>;

/** What two people made of the same fields: mine where I changed one, theirs everywhere else. */
export function mergeFields<T extends object>(before: T, mine: T, theirs: T): T {
  const [old, stored] = [before as Fields, theirs as Fields];
  const merged = Object.entries(mine).map(([name, value]) => [name, merge(old[name], value, stored[name])]);
  return { ...theirs, ...Object.fromEntries(merged) };
}

function merge(before: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, before)) return theirs;
  return isFields(before) && isFields(mine) && isFields(theirs) ? mergeFields(before, mine, theirs) : mine;
}

/** True when two values read alike. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** These fields of something as it was read: what a save of them is based on. */
export function pickFields<T extends object>(from: T, names: string[]): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as Partial<T>;
}
