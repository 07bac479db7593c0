import type { Results } from "@parley/sdk";

/** Something in the results of the last days that a person should look at. */
export type Finding =
  | { kind: "LOSING_VERSION"; verdict: Results["verdicts"][number] }
  | { kind: "FAILING_TOOL"; tool: string; calls: number; failed: number }
  | { kind: "WISHES"; count: number }
  | { kind: "DEAD_HOUR"; hour: number; dials: number; persons: number };

/** A tool fails too often from this share of its calls on, and with so many failures. */
const FAILING_SHARE = 0.2;
const LEAST_FAILURES = 3;
/** Dials of an hour of the day below which its answers say little. */
const LEAST_DIALS = 30;
/** Nobody answers in an hour where this share of the usual answers is not reached. */
const DEAD_SHARE = 0.1;
const MOST_OF_A_KIND = 3;

/** Lists what stands out in results, the worst first; empty where nothing does. */
export function listFindings(results: Results): Finding[] {
  const { verdicts, tools, askedForHuman } = results;
  const failing = tools.filter(({ calls, failed }) => failed >= LEAST_FAILURES && failed >= FAILING_SHARE * calls);
  return [
    ...failing.slice(0, MOST_OF_A_KIND).map((tool): Finding => ({ kind: "FAILING_TOOL", ...tool })),
    ...verdicts
      .filter(({ verdict }) => verdict === "BETTER")
      .slice(0, MOST_OF_A_KIND)
      .map((verdict): Finding => ({ kind: "LOSING_VERSION", verdict })),
    ...listDeadHours(results.hours).slice(0, MOST_OF_A_KIND),
    ...(askedForHuman > 0 ? [{ kind: "WISHES", count: askedForHuman } as const] : []),
  ];
}

/** Hours of the day, over all weekdays, in which many were dialled and hardly anybody answered; most dials first. */
function listDeadHours(cells: Results["hours"]): Extract<Finding, { kind: "DEAD_HOUR" }>[] {
  const hours = [...Map.groupBy(cells, ({ hour }) => hour)].map(([hour, own]) => ({ hour, ...addUp(own) }));
  const usual = addUp(cells);
  return hours
    .filter(({ dials, persons }) => dials >= LEAST_DIALS && persons * usual.dials <= DEAD_SHARE * usual.persons * dials)
    .toSorted((a, b) => b.dials - a.dials)
    .map((hour) => ({ kind: "DEAD_HOUR", ...hour }));
}

function addUp(cells: Results["hours"]): { dials: number; persons: number } {
  return {
    dials: cells.reduce((sum, { dials }) => sum + dials, 0),
    persons: cells.reduce((sum, { answeredByPerson }) => sum + answeredByPerson, 0),
  };
}
