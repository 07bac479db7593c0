import type { RawBuilder } from "kysely";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, limitTo, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { NO_JOB } from "./new-row.ts";
import { readSearch, type SearchPart } from "./search.ts";
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

/** Rows of a search that are counted; one by a short part of a number reads many more than it finds. */
export const MOST_FOUND = 1_000;
/** Ids follow the database's clock; a long transaction stores its rows later than they were numbered. */
const GRACE_MS = 2 * 3_600_000;
/** The last millisecond that fits into an id. */
const LAST_MS = 2 ** 48 - 1;

/** Stored states of the rows that are shown in another state. */
const STORED_AS: Record<string, string[]> = {
  RINGING: ["RINGING", "DIALING"],
  IN_PROGRESS: ["IN_PROGRESS", "DIALING"],
  UNKNOWN: ["UNKNOWN", "DIALING"],
  WAITING_FOR_WINDOW: ["QUEUED", "WAITING_FOR_RETRY"],
};
const WAITING = ["QUEUED", "WAITING_FOR_RETRY"];
const storedAs = (statuses: string[]) => [...new Set(statuses.flatMap((status) => STORED_AS[status] ?? [status]))];

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

/**
 * Returns the lowest id at a moment plus `graceMs`. With it, the primary key limits the scan to some days.
 */
function idNear(moment: string, graceMs: number): string {
  const hex = Math.min(Math.max(0, Date.parse(moment) + graceMs), LAST_MS)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Upper end of the range of texts with a given prefix, in byte order. */
const LAST_CHARACTER = "\u{10ffff}";

function numberBounds(column: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  // Bounds rather than a pattern, so that a prepared statement uses the index too. A colon sorts right after the
  // digits.
  return sql`${column} ~>=~ ${start} and ${column} ~<~ ${`${start}:`}`;
}

/**
 * Selects the rows that match one part of a search. Names are matched by their words, parts of numbers in the table of
 * numbers, which has each of them once.
 */
function fitting(workspaceId: string, { word, start, digits }: SearchPart): RawBuilder<unknown> {
  if (start !== undefined) return numberBounds(sql`r.customer_number`, start);
  const numbers = sql`select d.number from call_numbers d
    where d.workspace_id = ${workspaceId} and d.number like ${`%${digits}%`}`;
  // The number is compared as well: of rows that are looked at one by one, only those that match are looked up.
  if (word === undefined) return sql`r.customer_number like ${`%${digits}%`} and r.customer_number in (${numbers})`;
  const named = sql`select n.row_id from call_names n where n.workspace_id = ${workspaceId}
    and n.word >= search_word(${word}) and n.word < search_word(${word}) || ${LAST_CHARACTER}::text`;
  if (digits === undefined) return sql`r.id in (${named})`;
  return sql`r.id in (${named} union all
    select c.id from call_rows c where c.workspace_id = ${workspaceId} and c.customer_number in (${numbers}))`;
}

/** Returns the conditions of a filter on `call_rows r`. */
export function conditions(workspaceId: string, filter: RowFilter): RawBuilder<unknown> {
  const parts = [...stateConditions(workspaceId, filter), ...otherConditions(workspaceId, filter)];
  // Undialled rows of a job are not part of the history; single calls are, from the start. A literal as in the index
  // call_rows_history: the planner of a prepared statement would not match a parameter to it.
  if (!filter.jobId && !storedAs(filter.statuses ?? []).includes("QUEUED"))
    parts.push(sql`(r.job_id = ${sql.lit(NO_JOB)} or r.status <> 'QUEUED')`);
  return sql.join(parts, sql` and `);
}

/** Returns the conditions that the index call_rows_states serves. */
export function stateConditions(workspaceId: string, filter: RowFilter): RawBuilder<unknown>[] {
  const parts = [sql`r.workspace_id = ${workspaceId}`];
  if (filter.jobId) parts.push(sql`r.job_id = ${filter.jobId}`);
  if (filter.statuses) parts.push(sql`r.status = any(${storedAs(filter.statuses)}::text[])`);
  if (filter.outcomes) parts.push(sql`r.outcome = any(${filter.outcomes}::text[])`);
  if (filter.direction) parts.push(sql`r.direction = ${filter.direction}`);
  if (filter.flowApiId) parts.push(sql`r.flow_api_id = ${filter.flowApiId}`);
  return parts;
}

/** Returns the conditions that call_rows_states does not serve. */
export function otherConditions(workspaceId: string, filter: RowFilter): RawBuilder<unknown>[] {
  const parts = filter.statuses ? shownConditions(filter.statuses) : [];
  if (filter.search || filter.createdAfter || filter.createdBefore) parts.push(sql.raw(`true ${PLANNED_ANEW}`));
  if (filter.customerNumber) parts.push(sql`r.customer_number = ${filter.customerNumber}`);
  if (filter.customerNumberPrefix) parts.push(numberBounds(sql`r.customer_number`, filter.customerNumberPrefix));
  parts.push(...readSearch(filter.search ?? "").map((part) => fitting(workspaceId, part)));
  if (filter.externalId) parts.push(sql`r.external_id = ${filter.externalId}`);
  // A literal as in the index call_rows_human_requested: the planner would not match a parameter to it.
  if (filter.humanRequested !== undefined)
    parts.push(filter.humanRequested ? sql`r.human_requested` : sql`not r.human_requested`);
  if (filter.createdAfter)
    parts.push(
      sql`r.created_at >= ${filter.createdAfter}::timestamptz and r.id >= ${idNear(filter.createdAfter, -GRACE_MS)}`,
    );
  if (filter.createdBefore)
    parts.push(
      sql`r.created_at < ${filter.createdBefore}::timestamptz and r.id < ${idNear(filter.createdBefore, GRACE_MS)}`,
    );
  return parts;
}

/** A page of rows in the order in which they were made, or the newest first, with one more than asked for. */
export function listRows(
  tx: Executor,
  workspaceId: string,
  filter: RowFilter,
  isDescending: boolean,
  page: PageRequest,
): Promise<CallRowRecord[]> {
  const { after, order } = orderById(page, "r.id", isDescending);
  // The page is found first, so that nothing is joined to rows that it skips.
  const found = sql`(select r.id from call_rows r where ${conditions(workspaceId, filter)} and ${after}
      order by ${order} ${limitTo(page)}) found
    join call_rows r on r.workspace_id = ${workspaceId} and r.id = found.id`;
  return all(tx, sql`${recordsOf(found)} order by ${order}`);
}

/**
 * True for a search by a part of a number, whose numbers take longer to find than its rows. By words alone the newest rows
 * are found without all others, which the count need not have in order.
 */
export function looksForNumbers({ search }: RowFilter): boolean {
  return readSearch(search ?? "").some(({ digits }) => digits !== undefined);
}

/**
 * Returns the ids of the rows that a search finds, in the order of `listRows`; at most one more than `MOST_FOUND`. They
 * hold the first pages and their number is the count, so that the parts are looked for once.
 */
export async function searchIds(
  tx: Executor,
  workspaceId: string,
  filter: RowFilter,
  isDescending: boolean,
): Promise<string[]> {
  const order = isDescending ? sql`r.id desc` : sql`r.id`;
  const found = await all<{ id: string }>(
    tx,
    sql`select r.id from call_rows r where ${conditions(workspaceId, filter)} order by ${order} limit ${MOST_FOUND + 1}`,
  );
  return found.map(({ id }) => id);
}

/** Returns the number of rows that match a filter; the count ends above `most`. */
export function countRows(tx: Executor, workspaceId: string, filter: RowFilter, most?: number): Promise<number> {
  return countOf(tx, sql`call_rows r where ${conditions(workspaceId, filter)}`, most);
}
