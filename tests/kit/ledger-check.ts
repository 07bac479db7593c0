import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/**
 * The checker of "never twice" (ARCHITECTURE.md). It reads the carrier's own ledger, and shares no code with the
 * service: it knows only the ledger's lines and the rows as the API shows them.
 */
export interface Line {
  at: string;
  attemptId: string;
  from: string;
  to: string;
  attemptNumber: number;
  event: string;
  outcome?: string;
}

export interface CheckedRow {
  customerNumber: string;
  status: string;
  attempt: number;
}

/**
 * Returns every line of a ledger. A last line that a kill cut in half would be a fault of the carrier, and throws.
 * `isOpen`: the carrier still writes, so a line without an end is left out.
 */
export function readLedger(path: string, isOpen = false): Line[] {
  const text = readFileSync(path, "utf8");
  return (isOpen ? text.slice(0, text.lastIndexOf("\n") + 1) : text)
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line);
}

const END_BYTES = 64 * 1024;

/** Returns the last few hundred lines of a ledger that the carrier still writes. */
export function readLedgerEnd(path: string): Line[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, END_BYTES));
    const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
    // The first piece may be the rest of a line, the last one the beginning of one.
    const lines = text.split("\n").slice(size > END_BYTES ? 1 : 0, -1);
    return lines.map((line) => JSON.parse(line) as Line);
  } finally {
    closeSync(file);
  }
}

const TERMINAL = new Set(["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"]);

/** Returns the faults in words; empty when nobody was rung twice and no row is lost or stuck. */
export function checkLedger(lines: Line[], rows: CheckedRow[], expectedNumbers: string[]): string[] {
  const faults: string[] = [];
  const rings = lines.filter((line) => line.event === "RING");
  const byAttempt = countBy(rings, (line) => line.attemptId);
  const byTry = countBy(rings, (line) => `${line.to} attempt ${line.attemptNumber}`);
  for (const [id, count] of byAttempt) if (count > 1) faults.push(`attempt id ${id} rang ${count} times`);
  for (const [name, count] of byTry) if (count > 1) faults.push(`${name} rang ${count} times`);

  const byNumber = countBy(rings, (line) => line.to);
  const shown = new Map(rows.map((row) => [row.customerNumber, row]));
  for (const number of expectedNumbers) {
    const row = shown.get(number);
    if (!row) faults.push(`${number} is lost`);
    else if (!TERMINAL.has(row.status)) faults.push(`${number} is stuck in ${row.status}`);
    else if ((byNumber.get(number) ?? 0) > row.attempt)
      faults.push(`${number} rang ${byNumber.get(number)} times in ${row.attempt} attempts`);
    else if (row.status === "COMPLETED" && !byNumber.has(number)) faults.push(`${number} is COMPLETED but never rang`);
  }
  if (rows.length !== expectedNumbers.length) faults.push(`${rows.length} rows instead of ${expectedNumbers.length}`);
  return faults;
}

/** Returns the most calls that one number had ringing or under way at the same moment. */
export function highestConcurrency(lines: Line[], from: string): number {
  let live = 0;
  let highest = 0;
  const open = new Set<string>();
  for (const line of lines.filter((entry) => entry.from === from)) {
    if (line.event === "RING" && !open.has(line.attemptId)) {
      open.add(line.attemptId);
      highest = Math.max(highest, ++live);
    }
    if (line.event === "END" && open.delete(line.attemptId)) live--;
  }
  return highest;
}

function countBy<T>(items: T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
