import { setImmediate } from "node:timers/promises";
import { ROW_OUTCOMES, TERMINAL_STATUSES } from "#src/interactions/calls/states.ts";
import { nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { openCalendars, runJob } from "./job-run.ts";
import { apportion, seededRandom, shuffleParts } from "./population.ts";
import type { JobRun, Meeting, RehearsedJob } from "./rehearsed-job.ts";
import type { WindowCalendar } from "./window-clock.ts";

/** The most attempts over all repetitions; more would take longer than a few seconds. */
const MAX_WORK = 1_000_000;
const MOST_REPETITIONS = 31;
const FEWEST_REPETITIONS = 3;
/** The most attempts of one run; for a larger job, fewer rows are simulated, each standing for several. */
const MAX_ATTEMPTS = 300_000;
const MOST_HOURS = 24 * 31;

const range = (of: string) =>
  Type.Object({ p10: Type.Number(), p50: Type.Number(), p90: Type.Number() }, { description: of });

/** Expected results of a job with a population. */
export const Forecast = Type.Object(
  {
    rows: Type.Integer({ description: "Rows that would be dialled." }),
    repetitions: Type.Integer({ description: "Runs that the percentiles are taken over." }),
    durationSeconds: range("From the start to the end of the last call."),
    startsAt: Timestamp,
    endsAt: nullable(Timestamp),
    attempts: Type.Integer(),
    outcomes: Type.Array(
      Type.Object({
        status: oneOf(TERMINAL_STATUSES),
        outcome: oneOf(ROW_OUTCOMES),
        count: Type.Integer(),
        share: Type.Number({ description: "Of all rows, those that are skipped included." }),
      }),
    ),
    cost: Type.Object({
      p10: Type.String(),
      p50: Type.String(),
      p90: Type.String(),
      currency: Type.String({ description: "ISO 4217." }),
    }),
    talkSeconds: Type.Number(),
    busiestNumber: nullable(
      Type.Object({
        phoneNumber: Type.String(),
        attempts: Type.Integer(),
        busyShare: Type.Number({ description: "Of the slots that the job has in it, over the job's duration." }),
      }),
    ),
    perHour: Type.Array(
      Type.Object({
        startsAt: Timestamp,
        attempts: Type.Integer(),
        endedRows: Type.Integer(),
        talkSeconds: Type.Number(),
      }),
      { description: "Of the middle run, without hours in which nothing happens; at most 744." },
    ),
    skipped: Type.Object({
      count: Type.Integer({ description: "Rows that the compliance gate would never let out." }),
      reasons: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
    }),
    assumptions: Type.Array(Type.String()),
  },
  { $id: "Forecast" },
);
export type Forecast = Static<typeof Forecast>;

/** A part of the population with the results of its attempts. */
export interface ReadyPart {
  share: number;
  /** Result of the first `attempts` attempts, before `meetings` apply; null: none. */
  first: { attempts: number; meeting: Meeting } | null;
  /** One of them is drawn for each row, and kept. */
  meetings: Meeting[];
}

/** Input of a forecast. */
export interface RehearsalInput {
  job: RehearsedJob;
  parts: ReadyPart[];
  seed: number;
  currency: string;
  skipped: Forecast["skipped"];
  assumptions: string[];
}

/** Runs the job repeatedly, with its people in other orders, and sums up the results. */
export async function makeForecast(input: RehearsalInput, signal?: AbortSignal): Promise<Forecast> {
  const asked = countRows(input.job);
  const { job, scale } = shrink(input.job, asked);
  const calendars = openCalendars(job);
  const rows = countRows(job);
  const repetitions = rows === 0 ? 0 : chooseRepetitions(rows * input.job.retry.maxAttempts);
  const runs: JobRun[] = [];
  for (let i = 0; i < repetitions; i++)
    runs.push(await runOnce(job, input.parts, input.seed + i, { calendars, signal }));
  const more =
    scale < 1
      ? [
          `${rows} of ${asked} rows were simulated; each stands for the same share of all, and its calls hold the lines for so much longer.`,
        ]
      : [];
  return sumUp({ ...input, assumptions: [...input.assumptions, ...more] }, job, runs, { asked, scale });
}

function chooseRepetitions(work: number): number {
  return Math.max(FEWEST_REPETITIONS, Math.min(MOST_REPETITIONS, Math.floor(MAX_WORK / work)));
}

function countRows(job: RehearsedJob): number {
  return job.zones.reduce((sum, group) => sum + group.rows, 0);
}

// Simulates fewer rows for a large job. Fewer rows over as many lines would end sooner, so each call takes longer.
function shrink(job: RehearsedJob, rows: number): { job: RehearsedJob; scale: number } {
  const most = Math.floor(MAX_ATTEMPTS / job.retry.maxAttempts);
  if (rows <= most) return { job, scale: 1 };
  const counts = apportion(
    most,
    job.zones.map((group) => group.rows),
  );
  const zones = job.zones.map((group, i) => ({ ...group, rows: counts[i] as number }));
  return { job: { ...job, zones, standsFor: rows / most }, scale: most / rows };
}

type RunOptions = { calendars: WindowCalendar[]; signal?: AbortSignal | undefined };

async function runOnce(job: RehearsedJob, parts: ReadyPart[], seed: number, options: RunOptions): Promise<JobRun> {
  const random = seededRandom(seed);
  const rows = countRows(job);
  const counts = apportion(
    rows,
    parts.map((part) => part.share),
  );
  const partOf = shuffleParts(counts, random);
  const draws = new Uint16Array(rows);
  await setImmediate();
  for (let row = 0; row < rows; row++) draws[row] = Math.floor(random() * 65_536);
  await setImmediate();
  const meet = (row: number, attempt: number): Meeting => {
    const part = parts[partOf[row] as number] as ReadyPart;
    if (part.first !== null && attempt <= part.first.attempts) return part.first.meeting;
    return part.meetings[(draws[row] as number) % part.meetings.length] as Meeting;
  };
  return runJob(job, meet, random, options);
}

interface Size {
  /** Rows of the job, and the share of them that was simulated. */
  asked: number;
  scale: number;
}

function sumUp(input: RehearsalInput, job: RehearsedJob, runs: JobRun[], size: Size): Forecast {
  const { scale, asked } = size;
  const durations = runs.map((run) => Math.round((run.endMs - job.startMs) / 1_000));
  const durationSeconds = rangeOf(durations);
  const costs = rangeOf(runs.map((run) => run.cost / scale));
  const middle = runs.toSorted((a, b) => a.endMs - b.endMs)[Math.floor((runs.length - 1) / 2)];
  const money = (amount: number) => amount.toFixed(4);
  const mean = (read: (run: JobRun) => number) =>
    runs.length === 0 ? 0 : runs.reduce((sum, run) => sum + read(run), 0) / runs.length / scale;
  const stuck = Math.round(mean((run) => run.leftRows));
  const skipped = stuck > 0 ? addReason(input.skipped, "NOT_WITHIN_400_DAYS", stuck) : input.skipped;
  return {
    rows: asked,
    repetitions: runs.length,
    durationSeconds,
    startsAt: new Date(job.startMs).toISOString(),
    endsAt: runs.length === 0 ? null : new Date(job.startMs + durationSeconds.p50 * 1_000).toISOString(),
    attempts: Math.round(mean((run) => run.attempts)),
    outcomes: listOutcomes(runs, input.skipped, size),
    cost: { p10: money(costs.p10), p50: money(costs.p50), p90: money(costs.p90), currency: input.currency },
    talkSeconds: Math.round(mean((run) => run.talkMs) / 1_000),
    busiestNumber: middle ? findBusiest(job, middle, scale) : null,
    perHour: middle ? listHours(job, middle, scale) : [],
    skipped,
    assumptions: input.assumptions,
  };
}

function addReason(skipped: Forecast["skipped"], code: string, count: number): Forecast["skipped"] {
  return { count: skipped.count + count, reasons: [...skipped.reasons, { code, count }] };
}

/** Returns percentiles by nearest rank, so that each is the value of an actual run. */
function rangeOf(values: number[]): { p10: number; p50: number; p90: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9) };
}

function listOutcomes(runs: JobRun[], skipped: Forecast["skipped"], { asked, scale }: Size): Forecast["outcomes"] {
  const sums = new Map<string, number>();
  for (const { ends } of runs) for (const [key, count] of ends) sums.set(key, (sums.get(key) ?? 0) + count);
  const total = Math.max(1, asked + skipped.count);
  const entries = [...sums].map(([key, sum]): [string, number] => [key, sum / runs.length / scale]);
  if (skipped.count > 0) entries.push(["SKIPPED BLOCKED", skipped.count]);
  return entries
    .map(([key, count]) => {
      const [status, outcome] = key.split(" ") as [
        Forecast["outcomes"][number]["status"],
        Forecast["outcomes"][number]["outcome"],
      ];
      return { status, outcome, count: Math.round(count), share: roundTo(count / total, 4) };
    })
    .sort((a, b) => b.count - a.count || (a.outcome < b.outcome ? -1 : 1));
}

function findBusiest(job: RehearsedJob, run: JobRun, scale: number): Forecast["busiestNumber"] {
  const lastedMs = Math.max(1, run.endMs - job.startMs);
  const numbers = run.numbers.map(({ attempts, busyMs }, i) => {
    const { phoneNumber, slots } = job.numbers[i] as RehearsedJob["numbers"][number];
    return {
      phoneNumber,
      attempts: Math.round(attempts / scale),
      busyShare: slots === 0 ? 0 : roundTo(busyMs / (lastedMs * slots), 4),
    };
  });
  return numbers.sort((a, b) => b.busyShare - a.busyShare || b.attempts - a.attempts)[0] ?? null;
}

function listHours(job: RehearsedJob, run: JobRun, scale: number): Forecast["perHour"] {
  return run.hours
    .map((hour, i) => ({
      startsAt: new Date(job.startMs + i * 3_600_000).toISOString(),
      attempts: Math.round(hour.attempts / scale),
      endedRows: Math.round(hour.endedRows / scale),
      talkSeconds: Math.round(hour.talkMs / scale / 1_000),
    }))
    .filter((hour) => hour.attempts > 0 || hour.endedRows > 0)
    .slice(0, MOST_HOURS);
}

function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
