const MAX_NAME_CHARACTERS = 60;

/** Returns the known name that was probably meant; null when none is near. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const wanted = name.slice(0, MAX_NAME_CHARACTERS).toLowerCase();
  let best: string | null = null;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const one of known) {
    const edits = countEdits(wanted, one.toLowerCase());
    if (edits < fewest) [best, fewest] = [one, edits];
  }
  return best;
}

/** Returns the edit distance: letters to change, add or leave out to turn one word into another. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
