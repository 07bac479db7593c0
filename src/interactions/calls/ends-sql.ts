import type { RawBuilder } from "kysely";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { limitTo, MOST_COUNTED, orderById } from "#src/platform/db/paged-lists.ts";
import { boundsOfJob, type FoundRows, historyCondition, type RowFilter, type RowList, storedAs } from "./list-sql.ts";
import { ROW_OUTCOMES, ROW_STATUSES } from "./states.ts";
import { checksOf, countMany, isAsStored } from "./walk-sql.ts";

/** Stored states that the index call_rows_ends leaves out, as no call has come to anything yet. */
const BEFORE_ENDS = ["QUEUED", "DIALING"];
const ENDS = ROW_STATUSES.filter((status) => !BEFORE_ENDS.includes(status) && status !== "WAITING_FOR_WINDOW");
/** States and outcomes that one statement merges; each takes time to be planned. */
const MOST_ENDS = 40;
/** Rows of the states that are looked at for a job, a flow or a direction: at least, and for each row up to the page's end. */
const LEAST_LOOKED_AT = 1_000;
const LOOKED_AT_EACH = 8;
/** Calls that are tried again and have an outcome of the try before. No server has as many live. */
const MOST_TRIED_AGAIN = 100_000;

/**
 * Returns a page of a list of states and outcomes, which more than MOST_COUNTED rows have, from the index that has them in
 * the order of the list. Undefined for other lists, and where too few of the first rows are of the job, the flow or the
 * direction of the list.
 */
export async function findByEnds(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const { workspaceId, filter, page } = list;
  const isWhole = isAsStored(filter) && !filter.jobId && !filter.flowApiId && !filter.direction;
  const wanted = page.size + (page.after === undefined ? page.page * page.size : 0);
  if (!isWhole && wanted > MOST_COUNTED) return undefined;
  const looked = isWhole ? wanted + 1 : Math.max(LEAST_LOOKED_AT, LOOKED_AT_EACH * wanted);
  const found = await armsOf(tx, list, looked);
  if (found === undefined || found.arms.length === 0) return undefined;
  const { arms, order } = found;
  const ends = sql`select r.* from (${sql.join(arms, sql` union all `)}) r order by ${order} limit ${looked}`;
  const checks = isWhole ? sql`true` : sql.join(checksOf(workspaceId, filter, []), sql` and `);
  const rows = await all<{ id: string }>(
    tx,
    sql`select r.id from (${ends}) r where ${checks} order by ${order} ${limitTo(page)} ${sql.raw(PLANNED_ANEW)}`,
  );
  if (!isWhole && rows.length <= page.size) return undefined;
  return { ids: rows.map(({ id }) => id), counted: await countMany(tx, list), most: MOST_COUNTED };
}

/** A state, and an outcome that a row of it may have; null: none. */
interface End {
  status: string;
  outcome: string | null;
}

/** Returns the states and outcomes of a list that any row of the workspace has; undefined for states without the index. */
async function endsOf(tx: Executor, workspaceId: string, filter: RowFilter): Promise<End[] | undefined> {
  const { statuses, outcomes } = filter;
  if (!statuses && !outcomes) return undefined;
  const states: readonly string[] = statuses ? storedAs(statuses) : ENDS;
  if (states.some((state) => BEFORE_ENDS.includes(state))) return undefined;
  // One look each: the planner would rather read the states of all calls of the workspace.
  const looks = (which: RawBuilder<unknown>) => sql`cross join lateral (
    select from call_rows r where r.workspace_id = ${workspaceId} and r.status = s.status and r.outcome ${which} limit 1) r`;
  const some = sql`select s.status, o.outcome from unnest(${states}::text[]) s(status)
    cross join unnest(${outcomes ?? ROW_OUTCOMES}::text[]) o(outcome) ${looks(sql`= o.outcome`)}`;
  const none = sql`select s.status, null from unnest(${states}::text[]) s(status) ${looks(sql`is null`)}`;
  const ends = await all<End>(tx, outcomes ? some : sql`${some} union all ${none}`);
  return ends.length > MOST_ENDS ? undefined : ends;
}

/** Selections of the first rows of states and outcomes, and the order that all of them have. */
interface Arms {
  arms: RawBuilder<unknown>[];
  order: RawBuilder<unknown>;
}

/**
 * Returns selections of the first rows of each state and outcome, of which the index has each in the order of the list;
 * undefined for states that it leaves out. With literals, which tell the planner so, and each with an order and a limit,
 * because it would read all of them and sort them where it takes them for few.
 */
async function armsOf(
  tx: Executor,
  { workspaceId, filter, isDescending, page }: RowList,
  most: number,
): Promise<Arms | undefined> {
  const { statuses, outcomes, jobId } = filter;
  const ends = await endsOf(tx, workspaceId, filter);
  if (ends === undefined) return undefined;
  const { after, order } = orderById(page, "r.id", isDescending);
  const bounds = jobId ? await boundsOfJob(tx, workspaceId, jobId, "r.id") : [];
  const more = sql.join([sql`r.workspace_id = ${workspaceId}`, after, ...bounds], sql` and `);
  // Rows without an outcome are in the order of their ids as well, which the planner does not conclude from `is null`.
  const byBoth = sql`r.outcome ${sql.raw(isDescending ? "desc" : "asc")}, ${order}`;
  const arms = ends.map(
    ({ status, outcome }) => sql`(select r.* from call_rows r where r.status = ${sql.lit(status)}
      and r.outcome ${outcome === null ? sql`is null` : sql`= ${sql.lit(outcome)}`} and ${more}
      order by ${outcome === null ? byBoth : order} limit ${most})`,
  );
  // In one order that the planner knows of each, so that it merges them and stops, and sorts nothing.
  if (statuses) return { arms, order: ends.every(({ outcome }) => outcome === null) ? byBoth : order };
  const listed = sql.join([more, ...historyCondition(filter)], sql` and `);
  const again = sql`(select r.* from call_rows r where r.status in ('QUEUED', 'DIALING')
    and r.outcome = any(${outcomes}::text[]) and ${listed}
    order by r.direction, r.status, r.outcome, r.flow_api_id, r.job_id limit ${MOST_TRIED_AGAIN})`;
  return { arms: [...arms, again], order };
}
