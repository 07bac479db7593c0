import type { Results } from "@parley/sdk";

/** Something in the results of the last days that a person should look at. */
export type Finding =
  | { kind: "LOSING_VERSION"; verdict: Results["verdicts"][number] }
  | { kind: "FAILING_TOOL"; tool: string; calls: number; failed: number }
  | { kind: "WISHES"; count: number }
  | WeakNumber
  | { kind: "DEAD_HOUR"; hour: number; dials: number; persons: number };

/** A number that people answer less often than the others, also without the hours in which nobody answers. */
export interface WeakNumber {
  kind: "WEAK_NUMBER";
  phoneNumber: string;
  dials: number;
  rate: number;
  othersRate: number;
}

/** A tool fails too often from this share of its calls on, and with so many failures. */
const FAILING_SHARE = 0.2;
const LEAST_FAILURES = 3;
/** Dials of an hour of the day below which its answers say little. */
const LEAST_DIALS = 30;
/** Nobody answers in an hour where this share of the usual answers is not reached. */
const DEAD_SHARE = 0.1;
/** A number is weak when people answer its dials at less than this share of the others' rate, and it is not chance. */
const WEAK_SHARE = 0.8;
const MOST_OF_A_KIND = 3;

/** Lists what stands out in results, the worst first; empty where nothing does. */
export function listFindings(results: Results): Finding[] {
  const { verdicts, tools, askedForHuman } = results;
  const deadHours = listDeadHours(results.hours);
  const failing = tools.filter(({ calls, failed }) => failed >= LEAST_FAILURES && failed >= FAILING_SHARE * calls);
  return [
    ...failing.slice(0, MOST_OF_A_KIND).map((tool): Finding => ({ kind: "FAILING_TOOL", ...tool })),
    ...verdicts
      .filter(({ verdict }) => verdict === "BETTER")
      .slice(0, MOST_OF_A_KIND)
      .map((verdict): Finding => ({ kind: "LOSING_VERSION", verdict })),
    ...deadHours.slice(0, MOST_OF_A_KIND),
    ...listWeakNumbers(results.numbers, addUp(deadHours).dials).slice(0, MOST_OF_A_KIND),
    ...(askedForHuman > 0 ? [{ kind: "WISHES", count: askedForHuman } as const] : []),
  ];
}

/**
 * Numbers whose dials people answer clearly less often than those of the workspace's other numbers, the worst first: the
 * likely range of the number's rate ends below the others' rate, even if all dials in dead hours were its own.
 */
function listWeakNumbers(numbers: Results["numbers"], deadDials: number): WeakNumber[] {
  const counted = numbers.map(({ phoneNumber, dials, answerRate }) => ({
    phoneNumber,
    dials,
    persons: Math.round((answerRate ?? 0) * dials),
  }));
  return counted
    .flatMap(({ phoneNumber, dials, persons }) => {
      const own = { dials: dials - deadDials, persons };
      const others = subtract(addUp(counted), { dials, persons });
      if (phoneNumber === null || own.dials < LEAST_DIALS || others.dials < LEAST_DIALS) return [];
      const othersRate = others.persons / others.dials;
      const isWeak = persons < WEAK_SHARE * othersRate * own.dials && likelyMost(own) < othersRate;
      return isWeak ? [{ kind: "WEAK_NUMBER" as const, phoneNumber, dials, rate: persons / dials, othersRate }] : [];
    })
    .toSorted((a, b) => a.rate - b.rate);
}

interface Answers {
  dials: number;
  persons: number;
}

/** Returns the upper end of the 95 % confidence interval of an answer rate (Wilson score). */
function likelyMost({ dials, persons }: Answers): number {
  const z = 1.96;
  const rate = persons / dials;
  const spread = z * Math.sqrt((rate * (1 - rate)) / dials + (z * z) / (4 * dials * dials));
  return (rate + (z * z) / (2 * dials) + spread) / (1 + (z * z) / dials);
}

/** Hours of the day, over all weekdays, in which many were dialled and hardly anybody answered; most dials first. */
function listDeadHours(cells: Results["hours"]): Extract<Finding, { kind: "DEAD_HOUR" }>[] {
  const answers = cells.map(({ hour, dials, answeredByPerson }) => ({ hour, dials, persons: answeredByPerson }));
  const hours = [...Map.groupBy(answers, ({ hour }) => hour)].map(([hour, own]) => ({ hour, ...addUp(own) }));
  const usual = addUp(answers);
  return hours
    .filter(({ dials, persons }) => dials >= LEAST_DIALS && persons * usual.dials <= DEAD_SHARE * usual.persons * dials)
    .toSorted((a, b) => b.dials - a.dials)
    .map((hour) => ({ kind: "DEAD_HOUR", ...hour }));
}

function addUp(parts: readonly Answers[]): Answers {
  return {
    dials: parts.reduce((sum, { dials }) => sum + dials, 0),
    persons: parts.reduce((sum, { persons }) => sum + persons, 0),
  };
}

function subtract(all: Answers, part: Answers): Answers {
  return { dials: all.dials - part.dials, persons: all.persons - part.persons };
}
