import type { CallingWindow, Results } from "@parley/sdk";

type Cell = Results["hours"][number];

const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
/** An hour of the day with fewer dials says nothing. */
const LEAST_DIALS = 20;
/** Fewer dials than these in all say nothing about hours that nobody was dialled in. */
const LEAST_DIALS_ELSEWHERE = 100;
/** An hour is poor when its answer rate is below this share of the usual one. */
const POOR_SHARE = 0.5;
const MOST_BEST_HOURS = 3;

/** Judgement of a job's hours by earlier calls. */
export interface HourJudgement {
  /** POOR: in most of the hours hardly anybody answered. UNKNOWN: nobody was dialled in them, but in others. */
  kind: "POOR" | "UNKNOWN";
  /** Answer rate in the job's hours; null where nobody was dialled in them. */
  rate: number | null;
  usualRate: number;
  /** Hours of the day in which most people answered, in their order. */
  best: number[];
}

interface HourSum {
  hour: number;
  dials: number;
  persons: number;
  isChosen: boolean;
}

/**
 * Judges the hours in which a job would dial by the answers of earlier calls, hour by hour of the day; null where they
 * are no worse than usual, or too little is known. Without hours, the one in which the first person is dialled counts.
 */
export function judgeHours(
  hours: readonly Cell[],
  window: Pick<CallingWindow, "windows"> | null,
  firstHour: number | null,
): HourJudgement | null {
  const sums = addUp(hours, (cell) => (window === null ? cell.hour === firstHour : isInside(cell, window)));
  const known = sums.filter(({ dials }) => dials >= LEAST_DIALS);
  const usualRate = rateOf(sums);
  if (usualRate === null || usualRate === 0) return null;
  const chosen = known.filter(({ isChosen }) => isChosen);
  const best = listBest(known);
  if (chosen.length === 0) {
    const total = sums.reduce((sum, { dials }) => sum + dials, 0);
    const isNew = !sums.some(({ isChosen }) => isChosen) && (window !== null || firstHour !== null);
    return isNew && total >= LEAST_DIALS_ELSEWHERE && best.length > 0
      ? { kind: "UNKNOWN", rate: null, usualRate, best }
      : null;
  }
  const poor = chosen.filter(({ dials, persons }) => persons / dials < POOR_SHARE * usualRate);
  return poor.length * 2 > chosen.length ? { kind: "POOR", rate: rateOf(chosen), usualRate, best } : null;
}

/** Adds the cells of all weekdays up by hour, those inside the chosen hours apart from the others. */
function addUp(hours: readonly Cell[], isChosenCell: (cell: Cell) => boolean): HourSum[] {
  const sums = new Map<string, HourSum>();
  for (const cell of hours) {
    const isChosen = isChosenCell(cell);
    const key = `${cell.hour} ${isChosen}`;
    const { dials, persons } = sums.get(key) ?? { dials: 0, persons: 0 };
    sums.set(key, {
      hour: cell.hour,
      isChosen,
      dials: dials + cell.dials,
      persons: persons + cell.answeredByPerson,
    });
  }
  return [...sums.values()];
}

function isInside({ weekday, hour }: Cell, { windows }: Pick<CallingWindow, "windows">): boolean {
  const day = DAYS[weekday - 1];
  return windows.some(
    ({ days, start, end }) => days.some((one) => one === day) && hour >= hourOf(start) && hour < hourOf(end, true),
  );
}

/** Hour of a time such as 09:30; an end within an hour includes it. */
function hourOf(time: string, isEnd = false): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return isEnd && minute > 0 ? hour + 1 : hour;
}

function rateOf(sums: readonly HourSum[]): number | null {
  const dials = sums.reduce((sum, one) => sum + one.dials, 0);
  return dials === 0 ? null : sums.reduce((sum, one) => sum + one.persons, 0) / dials;
}

function listBest(known: readonly HourSum[]): number[] {
  const rate = ({ persons, dials }: HourSum) => persons / dials;
  const first = known.filter(({ persons }) => persons > 0).toSorted((a, b) => rate(b) - rate(a));
  return [...new Set(first.map(({ hour }) => hour))].slice(0, MOST_BEST_HOURS).toSorted((a, b) => a - b);
}
