/** What two people made of the same fields: mine where I changed one, theirs everywhere else. */
export function mergeFields<T extends Record<string, unknown>>(before: T, mine: T, theirs: T): T {
  const changed = Object.entries(mine).filter(([name, value]) => !isSame(value, before[name]));
  return { ...theirs, ...Object.fromEntries(changed) };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
