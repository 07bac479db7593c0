import { toneOf, type Tone } from "#web/ui/statuses.ts";

interface Percentiles {
  p50Ms: number | null;
  p95Ms: number | null;
}

/** First steps that have been completed in the workspace. */
export interface Done {
  hasCredential: boolean;
  hasCall: boolean;
  hasJob: boolean;
  hasDelivery: boolean;
  hasMcpRequest: boolean;
}

/** Counts of the last 24 hours, and the completed first steps. */
export interface Overview {
  asOf: string;
  calls: {
    /** Calls that are over, by their last dial, as the results count them. */
    total: number;
    /** The same calls, without those that were never dialled. */
    byOutcome: Record<string, number>;
    /** The same calls, by who was on the line. */
    ended: { person: number; machine: number; nobody: number };
    byHour: { hour: string; ended: number; reached: number; machine: number; byOutcome: Record<string, number> }[];
    /** Beginning of the first of the 24 hours. */
    since: string;
    /** Calls that just ended and are added within seconds. */
    waiting: number;
  };
  /** Latency of calls with audio. */
  turnLatency: Percentiles;
  modelLatency: Percentiles;
  /** The demo's call job while it has not been started. */
  preparedJobId: string | null;
  checklist: Done;
}

/** One hour of the last 24. */
export interface HourBar {
  at: Date;
  reached: number;
  machine: number;
  other: number;
  /** The same calls by the tones of their outcomes, in the order of the bar's parts from below. */
  tones: { tone: Tone; count: number }[];
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Outcomes have no other tones; calls that were never dialled are neutral. */
const BAR_TONES: Tone[] = ["good", "warning", "bad", "neutral"];

/** True while there is only the demo's job and it has not called anybody. */
export function isUntouched(overview: Overview | undefined): boolean {
  return overview !== undefined && overview.preparedJobId !== null && !overview.checklist.hasCall;
}

/** True once every first step was made. */
export function areAllDone({ hasCredential, hasCall, hasJob, hasDelivery, hasMcpRequest }: Done): boolean {
  return hasCredential && hasCall && hasJob && hasDelivery && hasMcpRequest;
}

/** Shares of ended calls in which a person, or a machine, answered; null before the first call ended. */
export function reachedShares({ calls: { ended } }: Overview): { person: number; machine: number } | null {
  const total = ended.person + ended.machine + ended.nobody;
  return total === 0 ? null : { person: ended.person / total, machine: ended.machine / total };
}

/** Ended calls that were never dialled, such as skipped ones. */
export function countUndialled({ calls: { total, byOutcome } }: Overview): number {
  return total - Object.values(byOutcome).reduce((sum, count) => sum + count, 0);
}

/** The outcomes, the most frequent first. */
export function listOutcomes({ calls: { byOutcome } }: Overview): { name: string; tone: Tone; count: number }[] {
  return Object.entries(byOutcome)
    .map(([name, count]) => ({ name, count, tone: toneOf(name) }))
    .toSorted((a, b) => b.count - a.count);
}

/** Bars of the last 24 hours, including the empty ones. */
export function listHours({ calls: { byHour, since } }: Overview): HourBar[] {
  const known = new Map(byHour.map((entry) => [Date.parse(entry.hour), entry]));
  return Array.from({ length: HOURS }, (_, index) => {
    const atMs = Date.parse(since) + index * HOUR_MS;
    const { ended = 0, reached = 0, machine = 0, byOutcome = {} } = known.get(atMs) ?? {};
    const tones = countTones(ended, byOutcome);
    return { at: new Date(atMs), reached, machine, other: ended - reached - machine, tones };
  });
}

function countTones(ended: number, byOutcome: Record<string, number>): HourBar["tones"] {
  const counts = new Map<Tone, number>([["neutral", ended]]);
  const move = (tone: Tone, by: number) => counts.set(tone, (counts.get(tone) ?? 0) + by);
  for (const [name, count] of Object.entries(byOutcome)) {
    const tone = toneOf(name);
    move(BAR_TONES.includes(tone) ? tone : "neutral", count);
    move("neutral", -count);
  }
  return BAR_TONES.map((tone) => ({ tone, count: counts.get(tone) ?? 0 })).filter(({ count }) => count > 0);
}
