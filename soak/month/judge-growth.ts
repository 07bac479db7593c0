import { CONNECTIONS_PER_NODE } from "#src/platform/db/databases.ts";
import type { DaySample, StatementUse } from "./day-sample.ts";
import { GROWING } from "./kept-tables.ts";

/**
 * A statement costs more when it looks at so many times the pages in a day, and some more, and takes so much longer. Each
 * day has the same work; how much of it one execution does depends on how busy the machine is.
 */
const MORE_BLOCKS = 1.5;
const SOME_BLOCKS = 5_000;
const MORE_TIME = 1.25;
const SOME_MS = 50;
const LONGEST_MS = 1_000;
const MORE_MEMORY = 1.1;
const SOME_MB = 20;
/** Rows by which a table may differ by chance. */
const SOME_ROWS = 300;
const MORE_ROWS = 1.5;
const SOME_FILES = 50;

/**
 * Tables that grow by as much on each day: for ever, for longer than a month, or because the soak sets up more each day
 * (agents). All others must not grow.
 */
const KEPT = new Set([...Object.keys(GROWING), "agents", "audit_log", "simulations", "usage_entries"]);

/** The fewest days that can be compared: the first one, and two early and two late ones. */
export const LEAST_DAYS = 5;

/** Tables with a time after which rows go, in days. They must not grow from then on. */
export type KeptDays = ReadonlyMap<string, number>;

/**
 * Compares the last days with the first ones and returns what grew: memory, files, rows of a table whose rows should go,
 * and statements that look at more pages for the same work and take longer; and connections that nobody closes. The first
 * day is left out, because caches fill on it.
 */
export function judgeGrowth(samples: readonly DaySample[], keptDays: KeptDays): string[] {
  const some = Math.max(2, Math.floor(samples.length / 5));
  const early = samples.slice(1, 1 + some);
  const late = samples.slice(-some);
  if (samples.length < LEAST_DAYS) return ["There are too few days to compare."];
  return [
    ...compareMeans("memory of the server (MB)", early, late, ({ nodeMb }) => nodeMb, SOME_MB),
    ...judgeConnections(samples),
    ...compareMeans("files", early, late, ({ files }) => files, SOME_FILES),
    ...judgeStatements(samples, { early, late }, keptDays),
    ...judgeTables(samples, keptDays),
  ];
}

function compareMeans(
  what: string,
  early: readonly DaySample[],
  late: readonly DaySample[],
  of: (sample: DaySample) => number,
  some: number,
): string[] {
  const [before, after] = [meanOf(early.map(of)), meanOf(late.map(of))];
  return after > before * MORE_MEMORY + some ? [`The ${what} grew: ${before.toFixed(0)} to ${after.toFixed(0)}.`] : [];
}

/**
 * Pools open connections when many are needed at once, and close those that nobody used for a minute, which is shorter
 * than a day: how many are open when a day ends is chance. One that nobody uses for longer was forgotten, by its pool or
 * by whoever took it from there, and is there to the end; those in use are at most as many as the pools open.
 */
function judgeConnections(samples: readonly DaySample[]): string[] {
  const { connections, unused } = samples.at(-1) as DaySample;
  const faults = unused.map((text) => `Nobody used a connection for more than a day, after: ${shortened(text)}`);
  return connections > CONNECTIONS_PER_NODE
    ? [...faults, `There are ${connections} connections, of at most ${CONNECTIONS_PER_NODE}.`]
    : faults;
}

/** The day from which on as many rows go as come, of a table whose rows go after so many days. */
const levelDayOf = (table: string, keptDays: KeptDays) => 2 * (keptDays.get(table) ?? 0) + 2;

/** The table of a statement of the retention, which has nothing to do until rows are old enough. */
const EXPIRING = /^\s*(?:with gone as \()?delete from (\w+) where ctid = any/;

function judgeStatements(
  samples: readonly DaySample[],
  { early, late }: Record<"early" | "late", readonly DaySample[]>,
  keptDays: KeptDays,
): string[] {
  const slow = samples.flatMap(({ day, statements }) =>
    [...statements.values()]
      .filter(({ maxMs }) => maxMs > LONGEST_MS)
      .map(({ maxMs, text }) => `On day ${day} a statement took ${maxMs.toFixed(0)} ms: ${shortened(text)}`),
  );
  const before = sumUses(early);
  const grown = [...sumUses(late)].flatMap(([id, now]) => {
    const then = before.get(id);
    if (!then) return [];
    const [, expiring] = EXPIRING.exec(now.text) ?? [];
    if (expiring !== undefined && levelDayOf(expiring, keptDays) >= samples.length) return [];
    const [blocksThen, blocksNow] = [then.blocks / early.length, now.blocks / late.length];
    const [msThen, msNow] = [then.ms / early.length, now.ms / late.length];
    if (blocksNow <= blocksThen * MORE_BLOCKS + SOME_BLOCKS || msNow <= msThen * MORE_TIME + SOME_MS) return [];
    return [
      `A statement grew from ${blocksThen.toFixed(0)} to ${blocksNow.toFixed(0)} pages and from ${msThen.toFixed(0)} to ${msNow.toFixed(0)} ms a day: ${shortened(now.text)}`,
    ];
  });
  return [...slow, ...grown];
}

/** Adds up the executions of each statement over several days. */
export function sumUses(samples: readonly DaySample[]): Map<string, StatementUse> {
  const sums = new Map<string, StatementUse>();
  for (const { statements } of samples)
    for (const [id, use] of statements) {
      const sum = sums.get(id) ?? { text: use.text, calls: 0, ms: 0, maxMs: 0, blocks: 0 };
      sums.set(id, {
        text: sum.text,
        calls: sum.calls + use.calls,
        ms: sum.ms + use.ms,
        maxMs: Math.max(sum.maxMs, use.maxMs),
        blocks: sum.blocks + use.blocks,
      });
    }
  return sums;
}

/**
 * A table whose rows go after some days may grow until then and once more as long, for the rows that the filling left.
 * One that a business keeps grows by as much on each day, and any other not at all.
 */
function judgeTables(samples: readonly DaySample[], keptDays: KeptDays): string[] {
  const [late, last] = samples.slice(-2) as [DaySample, DaySample];
  return [...last.tables].flatMap(([name, { rows }]) => {
    const rowsOn = (day: number) => samples.find((sample) => sample.day === day)?.tables.get(name)?.rows ?? 0;
    const levelDay = levelDayOf(name, keptDays);
    if (KEPT.has(name)) {
      const [first, middle] = [samples[0] as DaySample, samples[samples.length >> 1] as DaySample];
      const [half, whole] = [rowsOn(middle.day) - rowsOn(first.day), rows - rowsOn(middle.day)];
      return whole > Math.max(0, half) * MORE_ROWS + SOME_ROWS
        ? [`${name} grew by ${half} rows in the first half and by ${whole} in the second.`]
        : [];
    }
    // Its rows are not old enough to go.
    if (levelDay >= last.day) return [];
    // Two days each: a table that is emptied once a minute is full at the end of one day and empty at that of another.
    const level = Math.min(rowsOn(levelDay - 1), rowsOn(levelDay));
    const left = Math.min(rowsOn(late.day), rows);
    return left > level * MORE_ROWS + SOME_ROWS
      ? [`${name} had ${level} rows by day ${levelDay}, and has ${left}.`]
      : [];
  });
}

/** Returns a statement as one line of bounded length. */
export function shortened(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 110);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
