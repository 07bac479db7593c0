import { type DiffPart, diffWords } from "./word-diff.ts";

/** A line of a comparison. */
export interface DiffLine {
  kind: "same" | "gone" | "new";
  text: string;
  /** Parts of a line that replaces another, or is replaced, with the words that differ; others have none. */
  parts?: DiffPart[];
}

/** Cells above which the exact comparison would block the page; such texts are shown whole, one after the other. */
const MOST_CELLS = 1_000_000;

/** Compares two texts line by line, keeps the most common lines in order, and marks the words of replaced lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  return markWords(diffWholeLines(before, after));
}

/** Compares each run of lines that went with the lines that came in their place, the first with the first. */
function markWords(lines: DiffLine[]): DiffLine[] {
  const marked = [...lines];
  for (let at = 0; at < lines.length; at++) {
    const end = (from: number, kind: DiffLine["kind"]) => {
      let to = from;
      while (lines[to]?.kind === kind) to++;
      return to;
    };
    const middle = end(at, "gone");
    const last = end(middle, "new");
    for (let i = 0; i < Math.min(middle - at, last - middle); i++) {
      const [left, right] = [lines[at + i] as DiffLine, lines[middle + i] as DiffLine];
      const words = diffWords(left.text, right.text);
      if (!words) continue;
      marked[at + i] = { ...left, parts: words.before };
      marked[middle + i] = { ...right, parts: words.after };
    }
    at = Math.max(at, last - 1);
  }
  return marked;
}

function diffWholeLines(before: string, after: string): DiffLine[] {
  const [left, right] = [toLines(before), toLines(after)];
  if (left.length * right.length > MOST_CELLS) return [...left.map(gone), ...right.map(added)];
  const common = countCommon(left, right);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    const [a, b] = [left[i] as string, right[j] as string];
    if (a === b) {
      lines.push({ kind: "same", text: a });
      i++;
      j++;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push(gone(a));
      i++;
    } else {
      lines.push(added(b));
      j++;
    }
  }
  return [...lines, ...left.slice(i).map(gone), ...right.slice(j).map(added)];
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function gone(text: string): DiffLine {
  return { kind: "gone", text };
}

function added(text: string): DiffLine {
  return { kind: "new", text };
}

/** `[i][j]`: number of common lines from `i` on the left and from `j` on the right. */
function countCommon(left: string[], right: string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  for (let i = left.length - 1; i >= 0; i--) {
    const [row, below] = [table[i] as number[], table[i + 1] as number[]];
    for (let j = right.length - 1; j >= 0; j--) {
      row[j] = left[i] === right[j] ? (below[j + 1] as number) + 1 : Math.max(below[j] as number, row[j + 1] as number);
    }
  }
  return table;
}
