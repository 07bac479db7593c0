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
    total: number;
    byStatus: Record<string, number>;
    byOutcome: Record<string, number>;
    /** Ended calls, by who was on the line. */
    ended: { person: number; machine: number; nobody: number };
    byHour: { hour: string; ended: number; reached: number; machine: number }[];
    /** True when only the newest calls were counted. */
    isPartial: boolean;
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
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** True while there is only the demo's job and it has not called anybody. */
export function isUntouched(overview: Overview | undefined): boolean {
  return overview !== undefined && overview.preparedJobId !== null && overview.calls.total === 0;
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

/** Calls of the last 24 hours without those that were not dialled yet, such as call-backs of tomorrow. */
export function countPlaced({ calls: { total, byStatus } }: Overview): number {
  return total - (byStatus.QUEUED ?? 0);
}

/** The outcomes, the most frequent first. */
export function listOutcomes({ calls: { byOutcome } }: Overview): { name: string; tone: Tone; count: number }[] {
  return Object.entries(byOutcome)
    .map(([name, count]) => ({ name, count, tone: toneOf(name) }))
    .toSorted((a, b) => b.count - a.count);
}

/** Bars of the last 24 hours, including the empty ones. */
export function listHours({ asOf, calls: { byHour } }: Overview): HourBar[] {
  const known = new Map(byHour.map((entry) => [Date.parse(entry.hour), entry]));
  const lastMs = Math.floor(Date.parse(asOf) / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => {
    const atMs = lastMs - (HOURS - 1 - index) * HOUR_MS;
    const { ended = 0, reached = 0, machine = 0 } = known.get(atMs) ?? {};
    return { at: new Date(atMs), reached, machine, other: ended - reached - machine };
  });
}
