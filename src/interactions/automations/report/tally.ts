import { type Answered, answeredBy } from "#src/interactions/calls/answered.ts";
import { isTerminal, type RowStatus } from "#src/interactions/calls/states.ts";
import { flatten } from "./flatten.ts";
import type { ReportRow } from "./report-row.ts";

const MAX_FIELDS = 300;
const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 100;

/** Number of occurrences of each value of an extracted field. */
interface FieldTally {
  filled: number;
  values: Map<string, number>;
  /** Values beyond the first hundred distinct ones. */
  others: number;
}

/** A count with its name, for tables and charts. */
export interface Count {
  value: string;
  count: number;
}

/** Adds up calls one by one. Memory does not grow with their number, except for one number each (the duration). */
export class Tally {
  readonly #zone: string;
  readonly #statuses = new Map<string, number>();
  readonly #outcomes = new Map<string, number>();
  readonly #endReasons = new Map<string, number>();
  readonly #answeredBy = new Map<string, number>();
  readonly #attempts = new Map<string, number>();
  readonly #durations: number[] = [];
  readonly #hours = Array.from({ length: 24 }, (_, hour) => ({ hour, calls: 0, successful: 0, reached: 0 }));
  readonly #ended: Record<Answered, number> = { PERSON: 0, MACHINE: 0, NOBODY: 0 };
  readonly #fields = new Map<string, FieldTally>();
  readonly #hourOf: (time: Date) => number;
  #hasMoreFields = false;
  #total = 0;
  #attemptsMade = 0;

  constructor(timeZone: string) {
    this.#zone = timeZone;
    this.#hourOf = createHourOf(timeZone);
  }

  /** Counts one call. */
  add(row: ReportRow): void {
    this.#total++;
    this.#attemptsMade += row.attempts_made;
    bump(this.#statuses, row.status);
    const answer = isTerminal(row.status as RowStatus) ? answeredBy(row.outcome) : null;
    if (answer !== null) this.#ended[answer]++;
    bump(this.#attempts, String(row.attempts_made));
    if (row.outcome !== null) bump(this.#outcomes, row.outcome);
    if (row.end_reason !== null) bump(this.#endReasons, row.end_reason);
    if (row.answered_by !== null) bump(this.#answeredBy, row.answered_by);
    if (row.duration_ms !== null) this.#durations.push(row.duration_ms);
    if (row.started_at !== null) {
      const hour = this.#hours[this.#hourOf(row.started_at)] as { calls: number; successful: number; reached: number };
      hour.calls++;
      if (row.status === "COMPLETED") hour.successful++;
      if (answer === "PERSON") hour.reached++;
    }
    for (const [path, value] of flatten(row.extracted_fields)) this.#addField(path, value);
  }

  #addField(path: string, value: unknown): void {
    let field = this.#fields.get(path);
    if (!field) {
      if (this.#fields.size >= MAX_FIELDS) {
        this.#hasMoreFields = true;
        return;
      }
      field = { filled: 0, values: new Map(), others: 0 };
      this.#fields.set(path, field);
    }
    if (value === null || value === undefined || value === "") return;
    field.filled++;
    const text = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_VALUE_LENGTH).toWellFormed();
    if (field.values.has(text) || field.values.size < MAX_VALUES) bump(field.values, text);
    else field.others++;
  }

  /** The extracted fields that occurred, in an order that does not depend on the order of the calls. */
  get columns(): string[] {
    return [...this.#fields.keys()].toSorted(compare);
  }

  /** The totals, counts and percentiles of the calls added so far. */
  get result() {
    return {
      calls: this.#total,
      /** Calls that are over, by who was on the line. */
      ended: { person: this.#ended.PERSON, machine: this.#ended.MACHINE, nobody: this.#ended.NOBODY },
      byStatus: counts(this.#statuses),
      byOutcome: counts(this.#outcomes),
      byEndReason: counts(this.#endReasons),
      byAnsweredBy: counts(this.#answeredBy),
      attempts: {
        total: this.#attemptsMade,
        perCall: this.#total === 0 ? null : round(this.#attemptsMade / this.#total),
        byCount: counts(this.#attempts).toSorted((a, b) => Number(a.value) - Number(b.value)),
      },
      durationSeconds: summarize(this.#durations),
      byHourOfDay: { timeZone: this.#zone, hours: this.#hours },
      extractedFields: this.columns.map((field) => {
        const { filled, values, others } = this.#fields.get(field) as FieldTally;
        return { field, filled, values: counts(values), others };
      }),
      hasMoreFields: this.#hasMoreFields,
    };
  }
}

/** The sums of a tally, as the JSON summary holds them. */
export type TallyResult = Tally["result"];

function bump(counted: Map<string, number>, key: string): void {
  counted.set(key, (counted.get(key) ?? 0) + 1);
}

function counts(counted: Map<string, number>): Count[] {
  return [...counted]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compare(a.value, b.value));
}

/** Compares by code unit, which gives the same order on every machine whatever its locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Sums durations up. Percentiles are by nearest rank: the value that this share of all values does not exceed. */
function summarize(durationsMs: number[]) {
  const sorted = Float64Array.from(durationsMs).sort();
  const rank = (share: number) =>
    sorted.length === 0 ? null : round((sorted[Math.ceil(sorted.length * share) - 1] as number) / 1000);
  const total = sorted.reduce((sum, ms) => sum + ms, 0) / 1000;
  return {
    calls: sorted.length,
    total: round(total),
    average: sorted.length === 0 ? null : round(total / sorted.length),
    p50: rank(0.5),
    p95: rank(0.95),
    longest: rank(1),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const QUARTER_MS = 900_000;

/**
 * Returns a function that gives the local hour of a moment. Every offset of a zone is a multiple of a quarter of an
 * hour, so each quarter is formatted once.
 */
function createHourOf(timeZone: string): (time: Date) => number {
  const format = new Intl.DateTimeFormat("en-US", { hour: "numeric", hourCycle: "h23", timeZone });
  const known = new Map<number, number>();
  return (time) => {
    const quarter = Math.floor(time.getTime() / QUARTER_MS);
    let hour = known.get(quarter);
    if (hour === undefined) {
      hour = Number(format.format(quarter * QUARTER_MS));
      known.set(quarter, hour);
    }
    return hour;
  };
}
