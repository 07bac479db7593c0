import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, limitTo, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";
import { NO_JOB } from "./new-row.ts";
import { fitting, numberBounds } from "./search-sql.ts";
import { readSearch } from "./search.ts";
import { type CallRowRecord, recordsOf } from "./store.ts";

/** Filters of a list of rows. */
export interface RowFilter {
  jobId?: string | undefined;
  statuses?: string[] | undefined;
  outcomes?: string[] | undefined;
  direction?: string | undefined;
  customerNumber?: string | undefined;
  customerNumberPrefix?: string | undefined;
  search?: string | undefined;
  flowApiId?: string | undefined;
  externalId?: string | undefined;
  humanRequested?: boolean | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

/** True for a filter that all rows pass. */
export function isEmpty(filter: RowFilter): boolean {
  return Object.values(filter).every((value) => value === undefined || value === "");
}

/** A page of a list of rows in the order of their ids. */
export interface RowList {
  workspaceId: string;
  filter: RowFilter;
  isDescending: boolean;
  page: PageRequest;
}

/** Rows of a search that are counted; one by a short part of a number reads many more than it finds. */
export const MOST_FOUND = 1_000;
/** Ids follow the database's clock; a long transaction stores its rows later than they were numbered. */
const GRACE_MS = 2 * 3_600_000;

/** Stored states of the rows that are shown in another state. */
const STORED_AS: Record<string, string[]> = {
  RINGING: ["RINGING", "DIALING"],
  IN_PROGRESS: ["IN_PROGRESS", "DIALING"],
  UNKNOWN: ["UNKNOWN", "DIALING"],
  WAITING_FOR_WINDOW: ["QUEUED", "WAITING_FOR_RETRY"],
};
const WAITING = ["QUEUED", "WAITING_FOR_RETRY"];

/** Returns the stored states of the rows that are shown in one of these. */
export function storedAs(statuses: string[]): string[] {
  return [...new Set(statuses.flatMap((status) => STORED_AS[status] ?? [status]))];
}

/** True for a row that is shown as WAITING_FOR_WINDOW. The planner expects few rows with it, and many without. */
const WAITS = sql`r.window_opens_at = r.due_at and r.due_at > now()`;

/** Filters rows of the stored states by the shown one, where the two can differ. */
function shownConditions(wanted: string[]): RawBuilder<unknown>[] {
  const stored = storedAs(wanted);
  const parts: RawBuilder<unknown>[] = [];
  if (stored.includes("DIALING"))
    parts.push(sql`(r.status <> 'DIALING' or coalesce(
      (select l.state from call_attempts l where l.workspace_id = r.workspace_id and l.id = r.attempt_id
        and l.state in ('RINGING', 'IN_PROGRESS', 'UNKNOWN')), 'DIALING') = any(${wanted}::text[]))`);
  const waiting = stored.filter((status) => WAITING.includes(status));
  if (waiting.length === 0) return parts;
  const shown = waiting.filter((status) => wanted.includes(status));
  if (!wanted.includes("WAITING_FOR_WINDOW")) parts.push(sql`(${WAITS}) is not true`);
  // Without a choice, so that the index call_rows_windows serves it.
  else if (wanted.length === 1) parts.push(sql`${WAITS}`);
  else if (shown.length < waiting.length)
    parts.push(sql`(r.status = any(${stored.filter((status) => !WAITING.includes(status) || shown.includes(status))}::text[])
      or ${WAITS})`);
  return parts;
}

/** Returns the lowest id at a moment plus `graceMs`. With it, the primary key limits the scan to some days. */
const idNear = (moment: string, graceMs: number) => lowestIdAt(Date.parse(moment) + graceMs);

/** Returns the conditions of a filter on `call_rows r`. */
export function conditions(workspaceId: string, filter: RowFilter): RawBuilder<unknown> {
  const parts = readSearch(filter.search ?? "").map((part) => fitting(workspaceId, part));
  const others = [...stateConditions(workspaceId, filter), ...otherConditions(filter), ...historyCondition(filter)];
  return sql.join([...others, ...parts], sql` and `);
}

/**
 * Leaves out the undialled rows of jobs, which are not part of the history; single calls are, from the start. A literal
 * as in the index call_rows_history: the planner of a prepared statement would not match a parameter to it.
 */
export function historyCondition({ jobId, statuses }: RowFilter): RawBuilder<unknown>[] {
  if (jobId || storedAs(statuses ?? []).includes("QUEUED")) return [];
  return [sql`(r.job_id = ${sql.lit(NO_JOB)} or r.status <> 'QUEUED')`];
}

/** Returns the bounds that a time sets to ids. */
export function idBounds({ createdAfter, createdBefore }: RowFilter, column = "r.id"): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [];
  if (createdAfter) parts.push(sql`${sql.ref(column)} >= ${idNear(createdAfter, -GRACE_MS)}`);
  if (createdBefore) parts.push(sql`${sql.ref(column)} < ${idNear(createdBefore, GRACE_MS)}`);
  return parts;
}

/**
 * Returns the bounds of the ids of a job, whose rows mostly came at once. The planner sees the ids themselves, so that it
 * knows how many they are.
 */
export async function boundsOfJob(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  column: string,
): Promise<RawBuilder<unknown>[]> {
  const end = (order: string) => sql`(select r.id from call_rows r where r.workspace_id = ${workspaceId}
    and r.job_id = ${jobId} order by r.id ${sql.raw(order)} limit 1)`;
  const job = await first<{ from: string | null; to: string | null }>(
    tx,
    sql`select ${end("asc")} as "from", ${end("desc")} as "to"`,
  );
  return job?.from && job.to ? [sql`${sql.ref(column)} between ${job.from} and ${job.to}`] : [];
}

/** Returns the conditions that the index call_rows_states serves. */
export function stateConditions(workspaceId: string, filter: RowFilter): RawBuilder<unknown>[] {
  const parts = [sql`r.workspace_id = ${workspaceId}`];
  if (filter.jobId) parts.push(sql`r.job_id = ${filter.jobId}`);
  if (filter.statuses) parts.push(sql`r.status = any(${storedAs(filter.statuses)}::text[])`);
  if (filter.outcomes) parts.push(sql`r.outcome = any(${filter.outcomes}::text[])`);
  if (filter.direction) parts.push(sql`r.direction = ${filter.direction}`);
  // Only calls that we place wait; the indexes of those that do know these alone.
  else if (filter.statuses && storedAs(filter.statuses).every((status) => WAITING.includes(status)))
    parts.push(sql`r.direction = 'OUTBOUND'`);
  if (filter.flowApiId) parts.push(sql`r.flow_api_id = ${filter.flowApiId}`);
  return parts;
}

/** Returns the conditions of the time of a row itself. */
export function timeConditions({ createdAfter, createdBefore }: RowFilter): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [];
  if (createdAfter) parts.push(sql`r.created_at >= ${createdAfter}::timestamptz`);
  if (createdBefore) parts.push(sql`r.created_at < ${createdBefore}::timestamptz`);
  return parts;
}

/**
 * Returns the time of a list in parts: that in which an id tells that its row is of the time, so that an index alone
 * finds these rows; and the hours at its ends, of which the rows are looked at.
 */
export function timeParts(filter: RowFilter): RawBuilder<unknown>[][] {
  const { createdAfter, createdBefore } = filter;
  const sure = createdAfter ? [sql`r.id >= ${idNear(createdAfter, GRACE_MS)}`] : [];
  const begin = createdAfter ? [[sql`r.id < ${idNear(createdAfter, GRACE_MS)}`, ...timeConditions(filter)]] : [];
  if (!createdBefore) return [sure, ...begin];
  const last = idNear(createdBefore, -GRACE_MS);
  return [[...sure, sql`r.id < ${last}`], ...begin, [...sure, sql`r.id >= ${last}`, ...timeConditions(filter)]];
}

/** Returns the conditions that call_rows_states does not serve, without those of a search. */
export function otherConditions(filter: RowFilter): RawBuilder<unknown>[] {
  const parts = [...(filter.statuses ? shownConditions(filter.statuses) : []), ...idBounds(filter)];
  if (filter.search || filter.createdAfter || filter.createdBefore) parts.push(sql.raw(`true ${PLANNED_ANEW}`));
  if (filter.customerNumber) parts.push(sql`r.customer_number = ${filter.customerNumber}`);
  if (filter.customerNumberPrefix) parts.push(numberBounds(sql`r.customer_number`, filter.customerNumberPrefix));
  if (filter.externalId) parts.push(sql`r.external_id = ${filter.externalId}`);
  // A literal as in the index call_rows_human_requested: the planner would not match a parameter to it.
  if (filter.humanRequested !== undefined)
    parts.push(filter.humanRequested ? sql`r.human_requested` : sql`not r.human_requested`);
  parts.push(...timeConditions(filter));
  return parts;
}

/** A page of rows in the order in which they were made, or the newest first, with one more than asked for. */
export function listRows(tx: Executor, { workspaceId, filter, isDescending, page }: RowList): Promise<CallRowRecord[]> {
  const { after, order } = orderById(page, "r.id", isDescending);
  // The page is found first, so that nothing is joined to rows that it skips.
  const found = sql`(select r.id from call_rows r where ${conditions(workspaceId, filter)} and ${after}
      order by ${order} ${limitTo(page)}) found
    join call_rows r on r.workspace_id = ${workspaceId} and r.id = found.id`;
  return all(tx, sql`${recordsOf(found)} order by ${order}`);
}

/** Ids of a page of rows, with one more than asked for, and the count of the rows, which ends above `most`. */
export interface FoundRows {
  ids: string[];
  counted: number;
  most: number;
}

/** Returns the number of rows that match a filter; the count ends above `most`. */
export function countRows(tx: Executor, workspaceId: string, filter: RowFilter, most?: number): Promise<number> {
  return countOf(tx, sql`call_rows r where ${conditions(workspaceId, filter)}`, most);
}
