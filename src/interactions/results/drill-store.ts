import type { RawBuilder } from "kysely";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";
import { SUM_COLUMNS } from "./contribution.ts";
import type { Drill, FieldRange } from "./drill.ts";
import type { ResultFilters } from "./filters.ts";
import { FIELD_KINDS } from "./store.ts";
import { dialsByQuarter, passes } from "./totals-sql.ts";

/** A quarter of an hour with the calls that a figure counts there. */
export interface Bucket {
  bucket_at: Date;
  calls: number;
}

/** Lists the quarters of an hour in which a figure counts calls, the latest first. Reads sums, and no call. */
export function listBuckets(db: Executor, filters: ResultFilters, drill: Drill): Promise<Bucket[]> {
  if (drill.by === "FIELD") {
    return all(
      db,
      sql`select bucket_at, sum(calls)::int as calls from result_values s
           where ${passes(filters)} and s.field = ${drill.field}
             and ${fitsRange(drill, sql`s.kind`, sql`s.value`)}
           group by bucket_at having sum(calls) > 0 order by bucket_at desc`,
    );
  }
  if (drill.by === "HOUR") {
    const local = sql`(s.bucket_at at time zone ${drill.timeZone})`;
    return all(
      db,
      sql`select bucket_at, sum(dials)::int as calls from ${dialsByQuarter(filters)} s
           where extract(isodow from ${local}) = ${drill.weekday}
             and extract(hour from ${local}) = ${drill.hour}
           group by bucket_at having sum(dials) > 0 order by bucket_at desc`,
    );
  }
  const figure = sql.ref(`s.${drill.figure}`);
  return all(
    db,
    sql`select bucket_at, sum(${figure})::int as calls from result_sums s
         where ${passes(filters)} ${drill.outcome === null ? sql`` : sql`and s.outcome = ${drill.outcome}`}
           ${drill.reason === null ? sql`` : sql`and s.reason = ${drill.reason}`}
         group by bucket_at having sum(${figure}) > 0 order by bucket_at desc`,
  );
}

function fitsRange(
  { kind, value, from, below }: FieldRange,
  kindOf: RawBuilder<unknown>,
  valueOf: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofKind = kind === null ? sql`${kindOf} in (${FIELD_KINDS})` : sql`${kindOf} = ${kind}`;
  if (value !== null) return sql`${ofKind} and ${valueOf} = ${value}`;
  const under = (one: RawBuilder<unknown>, limit: RawBuilder<unknown>) =>
    below === null ? sql`true` : sql`${one} < ${limit}`;
  if (kind === "NUMBER") {
    // A case, because a text of another kind is no number.
    const number = sql`case when ${kindOf} = 'NUMBER' then ${valueOf}::numeric end`;
    return sql`${number} >= ${from}::numeric and ${under(number, sql`${below}::numeric`)}`;
  }
  return sql`${ofKind} and ${valueOf} >= ${from} and ${under(valueOf, sql`${below}::text`)}`;
}

/** Condition of a part `p` of a call's facts, in the quarter of an hour `b`. The order is that of the key of a sum. */
function fitsPart(filters: ResultFilters, drill: Drill): RawBuilder<unknown> {
  const key = (i: number) => sql`p.part -> 'key' ->> ${sql.lit(i)}`;
  const figure = (name: (typeof SUM_COLUMNS)[number]) =>
    sql`(p.part -> 'figures' ->> ${sql.lit(SUM_COLUMNS.indexOf(name))})::int > 0`;
  const { jobId, flowApiId, flowVersion, phoneNumberId, channel } = filters;
  const wanted = [jobId?.toLowerCase() ?? null, flowApiId, flowVersion, phoneNumberId?.toLowerCase() ?? null, channel];
  const parts: RawBuilder<unknown>[] = [sql`(${key(0)})::timestamptz = b.bucket_at`];
  for (const [i, value] of wanted.entries()) if (value !== null) parts.push(sql`${key(i + 1)} = ${String(value)}`);
  if (drill.by === "FIGURE") {
    parts.push(figure("calls"), figure(drill.figure));
    if (drill.outcome !== null) parts.push(sql`${key(6)} = ${drill.outcome}`);
    if (drill.reason !== null) parts.push(sql`${key(7)} = ${drill.reason}`);
  } else parts.push(figure(drill.by === "HOUR" ? "dials" : "calls"));
  return sql.join(parts, sql` and `);
}

/** Calls of a job or a flow that are looked up, the newest of the time asked for. */
const MOST_LOOKED_UP = 10_000;
/** Ids follow the database's clock; a long transaction stores its rows later than they were numbered. */
const GRACE_MS = 2 * 3_600_000;

/** Condition of the calls `r` of the job or the flow that is asked for, which an index serves; undefined without either. */
function isOfOne({ jobId, flowApiId }: ResultFilters, drill: Drill): RawBuilder<unknown> | undefined {
  if (jobId !== null) return sql`r.job_id = ${jobId}`;
  // A dial may be that of a call that waits again, which the index of flows has not.
  if (flowApiId === null || drill.by === "HOUR") return undefined;
  return sql`r.flow_api_id = ${flowApiId} and (r.job_id = ${sql.lit(NO_JOB)} or r.status <> 'QUEUED')`;
}

/**
 * Condition of a call `c` by its id: the facts of all calls of a quarter of an hour are many, where a job or a flow has
 * few of them. Calls that are older than those looked up pass.
 */
function narrow(filters: ResultFilters, drill: Drill) {
  const isOwn = isOfOne(filters, drill);
  if (isOwn === undefined) return { own: sql``, among: sql`` };
  const own = sql`with own as materialized (
    select r.id from call_rows r where r.workspace_id = ${filters.workspaceId} and ${isOwn}
       and r.id < ${lowestIdAt(filters.to.getTime() + GRACE_MS)}
     order by r.id desc limit ${MOST_LOOKED_UP})`;
  const oldest = sql`(select id from own order by id desc offset ${MOST_LOOKED_UP - 1} limit 1)`;
  return { own, among: sql`and (c.row_id in (select id from own) or c.row_id < ${oldest})` };
}

/** Returns the calls of quarters of an hour that a figure counts, at most `most` of each, the newest first. */
export function listCalls(
  db: Executor,
  filters: ResultFilters,
  drill: Drill,
  buckets: Date[],
  most: number,
): Promise<{ bucket_at: Date; row_id: string }[]> {
  const hasValue =
    drill.by === "FIELD"
      ? sql`and exists (select 1 from jsonb_array_elements(f.field_values -> 'fields') v(value)
              where v.value ->> 'field' = ${drill.field}
                and ${fitsRange(drill, sql`v.value ->> 'kind'`, sql`(v.value ->> 'value')`)})`
      : sql``;
  const { own, among } = narrow(filters, drill);
  return all(
    db,
    sql`${own} select b.bucket_at, found.row_id
          from unnest(${buckets}::timestamptz[]) with ordinality b(bucket_at, place)
         cross join lateral (
           select c.row_id from result_calls c
             join call_facts f on f.workspace_id = c.workspace_id and f.row_id = c.row_id
            where c.workspace_id = ${filters.workspaceId} and c.bucket_at = b.bucket_at ${among}
              and exists (select 1 from jsonb_array_elements(f.sums) p(part) where ${fitsPart(filters, drill)})
              ${hasValue}
            order by c.row_id desc limit ${most}) found
         order by b.place, found.row_id desc`,
  );
}

/** Returns the quarters of an hour in which a call counts, the latest first. */
export function placesOf(db: Executor, workspaceId: string, rowId: string): Promise<{ bucket_at: Date }[]> {
  return all(
    db,
    sql`select (p.part -> 'key' ->> 0)::timestamptz as bucket_at from call_facts f
         cross join lateral jsonb_array_elements(f.sums) p(part)
         where f.workspace_id = ${workspaceId} and f.row_id = ${rowId} and (p.part -> 'figures' ->> 0)::int > 0`,
  );
}
