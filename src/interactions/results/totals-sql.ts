import type { RawBuilder } from "kysely";
import { sql } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { SUM_COLUMNS } from "./contribution.ts";
import type { ResultFilters } from "./filters.ts";

const DAY_MS = 86_400_000;

/** True once the sums of earlier versions are in the totals; asked within a statement, so that it fits what that reads. */
const isFilled = sql`(select is_done from result_filling)`;

const columns = sql.raw(
  [
    "bucket_at",
    "flow_api_id",
    "flow_version",
    "phone_number_id",
    "outcome",
    "reason",
    "billed",
    "simulated",
    ...SUM_COLUMNS,
  ]
    .map((name) => `s.${name}`)
    .join(", "),
);

/** Condition of the sums `s` that pass the filters. */
export const passes = (f: ResultFilters) => sql`s.workspace_id = ${f.workspaceId} and s.bucket_at < ${f.to}
  ${f.from === null ? sql`` : sql`and s.bucket_at >= ${f.from}`}
  ${f.jobId === null ? sql`` : sql`and s.job_id = ${f.jobId}`}
  ${f.flowApiId === null ? sql`` : sql`and s.flow_api_id = ${f.flowApiId}`}
  ${f.flowVersion === null ? sql`` : sql`and s.flow_version = ${f.flowVersion}`}
  ${f.phoneNumberId === null ? sql`` : sql`and s.phone_number_id = ${f.phoneNumberId}`}
  ${f.channel === null ? sql`` : sql`and s.channel = ${f.channel}`}`;

/**
 * Returns the sums `s` that pass the filters, in parentheses: the totals of whole days (UTC), and quarters of an hour
 * before the first and after the last of them.
 */
export function sumsByDay(filters: ResultFilters): RawBuilder<unknown> {
  const { first, end } = wholeDays(filters);
  const whole = { ...filters, from: first, to: end };
  const parts = [
    sql`select ${columns} from result_totals s where ${isFilled} and s.grain = 'DAY' and ${passes(whole)}
          and (s.calls > 0 or s.dials > 0)`,
    sql`select ${columns} from result_sums s where not ${isFilled} and ${passes(whole)}`,
  ];
  const quarters = (from: Date | null, to: Date) =>
    parts.push(sql`select ${columns} from result_sums s where ${passes({ ...filters, from, to })}`);
  if (first !== null && filters.from !== null && filters.from < first) quarters(filters.from, first);
  if (end < filters.to) quarters(end, filters.to);
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** Returns the dials that pass the filters, by quarter of an hour, in parentheses. */
export function dialsByQuarter(filters: ResultFilters): RawBuilder<unknown> {
  const dials = sql`s.bucket_at, s.dials, s.dial_persons, s.dial_machines`;
  return sql`(select ${dials} from result_totals s where ${isFilled} and s.grain = 'QUARTER' and ${passes(filters)}
    union all select ${dials} from result_sums s where not ${isFilled} and ${passes(filters)})`;
}

/** Returns the whole days within a time, none at its end. Today counts as one, since there is nothing after now. */
function wholeDays({ from, to }: ResultFilters): { first: Date | null; end: Date } {
  const first = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const round = to.getTime() > nowMs() ? Math.ceil : Math.floor;
  const end = new Date(round(to.getTime() / DAY_MS) * DAY_MS);
  return first !== null && end < first ? { first: to, end: to } : { first, end };
}
