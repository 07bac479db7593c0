import type { RawBuilder } from "kysely";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, limitTo, MOST_COUNTED, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { type FoundRows, otherConditions, type RowFilter, stateConditions } from "./list-sql.ts";
import { NO_JOB } from "./new-row.ts";
import { checkOf } from "./search-sql.ts";
import { readSearch } from "./search.ts";
import { ROW_STATUSES } from "./states.ts";

/** Columns of call_rows_states after the workspace: rows that are read in this order are read by that index. */
const INDEXED = sql.raw("r.direction, r.status, r.outcome, r.flow_api_id, r.job_id");
const NOT_QUEUED = ROW_STATUSES.filter((status) => status !== "QUEUED");

/** One more than are few. */
const ENOUGH = MOST_COUNTED + 1;

/**
 * Returns a page of a list whose states, outcomes, flow and direction leave few rows; undefined when they leave more than
 * MOST_COUNTED, or filter nothing. The index is asked how many there are before anything is looked at: the planner
 * multiplies the shares of a state and an outcome that never meet, and would look for them through all calls.
 */
export async function findFew(
  tx: Executor,
  workspaceId: string,
  filter: RowFilter,
  isDescending: boolean,
  page: PageRequest,
): Promise<FoundRows | undefined> {
  if (!filter.statuses && !filter.outcomes && !filter.flowApiId && !filter.direction) return undefined;
  const arms = armsOf(workspaceId, filter);
  const known = arms.map((arm) => sql`(select 1 from call_rows r where ${arm} limit ${ENOUGH})`);
  const inStates = await countOf(tx, sql`(${sql.join(known, sql` union all `)}) known`);
  if (inStates > MOST_COUNTED) return undefined;
  if (inStates === 0) return { ids: [], counted: 0, most: MOST_COUNTED };
  const checks = readSearch(filter.search ?? "").map((part) => checkOf(workspaceId, part));
  const rest = [sql`true`, ...otherConditions(filter), ...checks];
  const found = arms.map(
    (arm) => sql`(select r.id from call_rows r where ${sql.join([arm, ...rest], sql` and `)}
      order by ${INDEXED} limit ${ENOUGH})`,
  );
  const { after, order } = orderById(page, "id", isDescending);
  return first<FoundRows>(
    tx,
    sql`with few as materialized (${sql.join(found, sql` union all `)})
        select (select count(*) from few) as counted, ${MOST_COUNTED}::int as most,
          array(select id from few where ${after} order by ${order} ${limitTo(page)}) as ids`,
  );
}

/** Returns conditions that each find a part of the rows: without those of jobs that wait, unless they are asked for. */
function armsOf(workspaceId: string, filter: RowFilter): RawBuilder<unknown>[] {
  const states = stateConditions(workspaceId, filter);
  if (filter.jobId || filter.statuses) return [sql.join(states, sql` and `)];
  return [sql`r.status = any(${NOT_QUEUED}::text[])`, sql`r.status = 'QUEUED' and r.job_id = ${NO_JOB}`].map((part) =>
    sql.join([...states, part], sql` and `),
  );
}
