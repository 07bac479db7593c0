/** Part of a line of a comparison. */
export interface DiffPart {
  text: string;
  isChanged: boolean;
}

/** Changes above which two lines have too little in common to be compared word by word. */
const MOST_CHANGES = 400;
/** Share of a line that must be common, for its words to be worth marking. */
const LEAST_COMMON = 0.3;
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/**
 * Compares two lines word by word; undefined when they have little in common, which is easier to read as two whole
 * lines. The texts of the parts of each line add up to the line.
 */
export function diffWords(before: string, after: string): { before: DiffPart[]; after: DiffPart[] } | undefined {
  const [left, right] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  const pairs = matchWords(left, right);
  if (!pairs) return undefined;
  const common = pairs.reduce((sum, [at]) => sum + (left[at] as string).trim().length, 0);
  const length = Math.max(before.length, after.length);
  if (length === 0 || common / length < LEAST_COMMON) return undefined;
  return {
    before: toParts(left, new Set(pairs.map(([at]) => at))),
    after: toParts(right, new Set(pairs.map(([, at]) => at))),
  };
}

function toParts(words: string[], kept: ReadonlySet<number>): DiffPart[] {
  const parts: DiffPart[] = [];
  words.forEach((text, index) => {
    const isChanged = !kept.has(index);
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else parts.push({ text, isChanged });
  });
  return parts;
}

/**
 * Returns the places of the common words (Myers, "An O(ND) Difference Algorithm", 1986), or undefined when there are
 * more than MOST_CHANGES changes.
 */
function matchWords(left: string[], right: string[]): [left: number, right: number][] | undefined {
  const furthest = new Map([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let changes = 0; changes <= MOST_CHANGES; changes++) {
    trace.push(new Map(furthest));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = startOf(furthest, diagonal, changes);
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left.length, right.length);
    }
  }
  return undefined;
}

/** Furthest place on the left that a diagonal is entered at: by a word that came, or by one that went. */
function startOf(furthest: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  const [below, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
  const isDown = diagonal === -changes || (diagonal !== changes && below < above);
  return isDown ? above : below + 1;
}

function walkBack(trace: ReadonlyMap<number, number>[], left: number, right: number): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [left, right];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const furthest = trace[changes] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const start = startOf(furthest, diagonal, changes);
    while (x > start && y > start - diagonal && x > 0 && y > 0) pairs.push([--x, --y]);
    if (changes === 0) break;
    const [below, above] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
    const isDown = diagonal === -changes || (diagonal !== changes && below < above);
    [x, y] = isDown ? [above, above - diagonal - 1] : [below, below - diagonal + 1];
  }
  return pairs.toReversed();
}
