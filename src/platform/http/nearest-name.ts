/** Longer names are not compared: they are no misspelling of ours. */
const MAX_COMPARED = 60;

/**
 * Returns the known name that `name` most likely misspells: the same letters in another case or with other separators,
 * a few letters off, or one word of it (`prompt` for `masterPrompt`, when only one name has that word). Null when none
 * is near.
 */
export function findNearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null;
  const plain = toPlain(name);
  if (plain === "") return null;
  const whole = nearestBy(plain, known, (other) => [toPlain(other)]);
  if (whole.length > 0) return whole[0] as string;
  const [byWord, ...others] = nearestBy(plain, known, wordsOf);
  return byWord !== undefined && others.length === 0 ? byWord : null;
}

/** Returns the known name that is near, or near the last word of `name` (`phoneNumber`: `customerNumber`). */
export function findByLastWord(name: string, known: readonly string[]): string | null {
  return findNearest(name, known) ?? findNearest(split(name).at(-1) ?? "", known);
}

/** Returns the nearest names within the limit, which are all equally near. */
function nearestBy(plain: string, known: readonly string[], partsOf: (name: string) => string[]): string[] {
  let best = Math.floor(plain.length / 3);
  let found: string[] = [];
  for (const name of known) {
    for (const part of partsOf(name)) {
      const distance = editDistance(plain, part, best);
      if (distance > best) continue;
      if (distance < best) found = [];
      best = distance;
      if (!found.includes(name)) found.push(name);
    }
  }
  return found;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the question that follows a fault: which of the names was meant. Empty when none is near. */
export function askNearest(name: string, names: readonly string[]): string {
  const nearest = findNearest(name, names);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}

/** Returns the words of a camel-case name that are long enough to stand for it. */
function wordsOf(name: string): string[] {
  return split(name).filter((word) => word.length >= 4);
}

function split(name: string): string[] {
  return name.split(/(?=[A-Z])|[^A-Za-z0-9]+/).map((word) => word.toLowerCase());
}

/**
 * Returns the number of edits between two texts, where a swap of neighbours is one; anything above `limit` may be
 * `limit + 1`.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((row[j - 1] as number) + 1, (last[j] as number) + 1, (last[j - 1] as number) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      }
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
