import type { CallRow, Page } from "@parley/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { toneOf, type Tone } from "#web/ui/statuses.ts";

/** How many of today's newest calls the numbers of home are made of. */
const SAMPLE = 200;
const HOURS = 24;

/** One hour of today, by how its calls ended. */
export interface HourBar {
  hour: number;
  good: number;
  other: number;
}

/** Today's calls in numbers; `sampled`: only the newest are counted by outcome and latency. */
export interface Today {
  total: number;
  sampled: number;
  answeredShare: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  outcomes: { name: string; tone: Tone; count: number }[];
  hours: HourBar[];
}

/** Reads today's calls, by the viewer's calendar. */
export function useToday(): { read: UseQueryResult<Page<CallRow>>; today: Today | undefined } {
  const [createdAfter] = useState(startOfToday);
  const read = useRead<Page<CallRow>>("/call-history", { createdAfter, size: SAMPLE });
  const today = useMemo(() => (read.data ? summarise(read.data) : undefined), [read.data]);
  return { read, today };
}

function startOfToday(): string {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  return start.toISOString();
}

/** A page of calls in numbers. */
export function summarise({ content, totalElements }: Page<CallRow>): Today {
  const ended = content.filter(({ endedAt }) => endedAt !== null);
  const answered = ended.filter(({ answeredAt }) => answeredAt !== null);
  const waits = content
    .flatMap(({ latency }) => (latency.p50Ms === null ? [] : [latency.p50Ms]))
    .toSorted((a, b) => a - b);
  const slow = content
    .flatMap(({ latency }) => (latency.p95Ms === null ? [] : [latency.p95Ms]))
    .toSorted((a, b) => a - b);
  return {
    total: totalElements,
    sampled: content.length,
    answeredShare: ended.length === 0 ? null : answered.length / ended.length,
    p50Ms: at(waits, 0.5),
    p95Ms: at(slow, 0.95),
    outcomes: countOutcomes(ended),
    hours: countHours(content),
  };
}

function at(sorted: number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

function countOutcomes(ended: CallRow[]): Today["outcomes"] {
  const counts = new Map<string, number>();
  for (const { outcome, status } of ended) {
    const name = outcome ?? status;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count, tone: toneOf(name) }))
    .toSorted((a, b) => b.count - a.count);
}

function countHours(calls: CallRow[]): HourBar[] {
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ hour, good: 0, other: 0 }));
  for (const { createdAt, status } of calls) {
    const bar = hours[new Date(createdAt).getHours()];
    if (bar) bar[status === "COMPLETED" ? "good" : "other"]++;
  }
  return hours;
}
