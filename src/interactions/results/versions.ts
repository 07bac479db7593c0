import { wilsonInterval } from "#src/platform/kernel/wilson.ts";

/** Successes of one version of a flow among its calls that a person answered. */
export interface VersionCount {
  version: number;
  persons: number;
  goals: number;
}

/** Outcome of a comparison of two versions. */
export const VERDICTS = ["BETTER", "NO_DIFFERENCE_YET", "TOO_FEW_CALLS"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Comparison of the two versions of a flow that most people answered. */
export interface Comparison {
  verdict: Verdict;
  /** The version with the higher rate. */
  version: number;
  comparedWith: number;
  /** Rate of `version` less that of `comparedWith`, with its 95 % interval (Newcombe's, from two Wilson intervals). */
  difference: { value: number; low: number; high: number };
  /** One sentence that says it. */
  words: string;
}

/** Fewer answered calls than these show nothing, whatever the interval says. */
const LEAST_PERSONS = 20;

/**
 * Compares the two versions that most people answered; null where there are not two. One is better when the 95 %
 * interval of the difference leaves out zero (Newcombe 1998, method 10).
 */
export function compareVersions(counts: readonly VersionCount[]): Comparison | null {
  const [most, next] = counts.filter(({ persons }) => persons > 0).toSorted((a, b) => b.persons - a.persons);
  if (!most || !next) return null;
  const [first, second] = rate(most) >= rate(next) ? [most, next] : [next, most];
  const difference = differenceOf(first, second);
  const verdict = verdictOf(first, second, difference.low);
  const words = sayVerdict(verdict, first, second, difference);
  return { verdict, version: first.version, comparedWith: second.version, difference, words };
}

function rate({ goals, persons }: VersionCount): number {
  return goals / persons;
}

function differenceOf(first: VersionCount, second: VersionCount): Comparison["difference"] {
  const [a, b] = [rate(first), rate(second)];
  const [i, j] = [wilsonInterval(first.goals, first.persons), wilsonInterval(second.goals, second.persons)];
  const value = a - b;
  return {
    value: round(value),
    low: round(value - Math.hypot(a - i.low, j.high - b)),
    high: round(value + Math.hypot(i.high - a, b - j.low)),
  };
}

function verdictOf(first: VersionCount, second: VersionCount, low: number): Verdict {
  if (Math.min(first.persons, second.persons) < LEAST_PERSONS) return "TOO_FEW_CALLS";
  return low > 0 ? "BETTER" : "NO_DIFFERENCE_YET";
}

function sayVerdict(
  verdict: Verdict,
  first: VersionCount,
  second: VersionCount,
  { low, high }: Comparison["difference"],
): string {
  const both = `versions ${Math.min(first.version, second.version)} and ${Math.max(first.version, second.version)}`;
  if (verdict === "TOO_FEW_CALLS") {
    return `Too few calls to compare ${both}: each needs ${LEAST_PERSONS} that a person answered.`;
  }
  if (verdict === "NO_DIFFERENCE_YET") return `The calls show no difference between ${both} yet.`;
  const rates = `${percent(rate(first))} of its answered calls succeed, ${percent(rate(second))} with version ${second.version}`;
  return `Version ${first.version} is better: ${rates} (${points(low)} to ${points(high)} points more).`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 ? "under 1" : String(rounded);
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
