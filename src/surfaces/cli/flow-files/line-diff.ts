const CONTEXT = 3;
/** Lines times lines that are compared; larger texts are shown as replaced. */
const MOST_CELLS = 4_000_000;

interface Line {
  sign: " " | "-" | "+";
  text: string;
}

/** Returns the differences of two texts in the unified format, without a heading; empty when they are equal. */
export function diffLines(before: string, after: string): string[] {
  const lines = compare(before.split("\n"), after.split("\n"));
  const shown = new Set<number>();
  for (const [i, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    for (let at = i - CONTEXT; at <= i + CONTEXT; at++) shown.add(at);
  }
  const result: string[] = [];
  let [left, right] = [1, 1];
  for (const [i, { sign, text }] of lines.entries()) {
    if (shown.has(i)) {
      if (!shown.has(i - 1)) result.push(heading(lines, shown, i, left, right));
      result.push(`${sign}${text}`);
    }
    if (sign !== "+") left++;
    if (sign !== "-") right++;
  }
  return result;
}

/** Returns the heading of the hunk that begins at an index: on each side its first line and how many lines it has. */
function heading(
  lines: readonly Line[],
  shown: ReadonlySet<number>,
  first: number,
  left: number,
  right: number,
): string {
  let [before, after] = [0, 0];
  for (let i = first; i < lines.length && shown.has(i); i++) {
    if (lines[i]?.sign !== "+") before++;
    if (lines[i]?.sign !== "-") after++;
  }
  return `@@ -${left},${before} +${right},${after} @@`;
}

/** Marks the lines of a longest common subsequence as equal. */
function compare(before: string[], after: string[]): Line[] {
  const removed = (texts: string[]) => texts.map((text): Line => ({ sign: "-", text }));
  const added = (texts: string[]) => texts.map((text): Line => ({ sign: "+", text }));
  if (before.length * after.length > MOST_CELLS) return [...removed(before), ...added(after)];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ sign: " ", text: before[i++] as string });
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ sign: "-", text: before[i++] as string });
    else lines.push({ sign: "+", text: after[j++] as string });
  }
  return [...lines, ...removed(before.slice(i)), ...added(after.slice(j))];
}
