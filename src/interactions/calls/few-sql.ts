import type { RawBuilder } from "kysely";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, limitTo, MOST_COUNTED, orderById } from "#src/platform/db/paged-lists.ts";
import { findByEnds } from "./ends-sql.ts";
import {
  type FoundRows,
  historyCondition,
  idBounds,
  isEmpty,
  otherConditions,
  type RowFilter,
  type RowList,
  stateConditions,
  timeParts,
} from "./list-sql.ts";
import { NO_JOB } from "./new-row.ts";
import { checksOfSearch, numberBounds } from "./search-sql.ts";
import { readSearch } from "./search.ts";
import { ROW_STATUSES } from "./states.ts";
import { checksOf, findAtOnce, findSoon, isFar, readOn } from "./walk-sql.ts";

/** Columns of call_rows_states after the workspace: rows that are read in this order are read by that index. */
const INDEXED = sql.raw("r.direction, r.status, r.outcome, r.flow_api_id, r.job_id");
const NOT_QUEUED = ROW_STATUSES.filter((status) => status !== "QUEUED");

/** Rows of states that are sorted where the first rows of the list have too few of them; and the most that are looked at. */
const MANY_OF_STATES = 100_000;
const MOST_OF_STATES = 1_000_000;
/** Rows of numbers that start alike that are sorted to find the first. */
const FEW_NUMBERS = 20_000;
/** And where the first rows of the list have none of them, or of one number: its index alone has them. */
const MOST_NUMBERS = 1_000_000;

/** A way to the rows by an index: conditions that it serves, which each find a part of them, and the order that it has. */
interface Way {
  arms: RawBuilder<unknown>[];
  order: RawBuilder<unknown>;
  /** The conditions that it does not serve; where there are several, each finds a part of the rows. */
  rests: RawBuilder<unknown>[][];
}

/**
 * Returns a page of a list whose states, outcomes, flow and direction, or whose numbers, leave few rows; and of one
 * whose states leave many, if its first rows have the page. Undefined otherwise. The index is asked how many there are
 * before anything is looked at: the planner multiplies the shares of a state and an outcome that never meet, and would
 * look for them through all calls.
 */
export async function findFew(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const { workspaceId, filter } = list;
  const ofStates = waysByStates(workspaceId, filter);
  const byStates = ofStates.map((way) => ({ way, most: MOST_COUNTED }));
  const most = filter.customerNumber === undefined ? FEW_NUMBERS : MOST_NUMBERS;
  const byStart = waysByNumber(workspaceId, filter).map((way) => ({ way, most }));
  for (const { way, most } of [...byStates, ...byStart]) {
    const found = await readAll(tx, way, most, list);
    if (found) return found;
  }
  const [way] = ofStates;
  if (!way || !isOfStatesAlone(filter)) return undefined;
  return (
    (await findAtOnce(tx, list)) ??
    (await findByEnds(tx, list)) ??
    (await findSoon(tx, list)) ??
    (await readAll(tx, way, MANY_OF_STATES, list)) ??
    (await readOn(tx, list, MOST_OF_STATES))
  );
}

/** Returns a page of a list of numbers that start alike, which none of its first rows has, by reading all such numbers. */
export async function findByStart(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const [way] = isFar(list.page) ? [] : waysByNumber(list.workspaceId, list.filter);
  return way && readAll(tx, way, MOST_NUMBERS, list);
}

/** Reads all rows of a way and sorts them; undefined when it leads to more than `most`. */
async function readAll(
  tx: Executor,
  { arms, order, rests }: Way,
  most: number,
  { isDescending, page }: RowList,
): Promise<FoundRows | undefined> {
  const rows = (column: RawBuilder<unknown>, parts: RawBuilder<unknown>[][]) => {
    const found = arms.flatMap((arm) =>
      parts.map(
        (more) => sql`(select ${column} from call_rows r where ${sql.join([arm, ...more], sql` and `)}
        order by ${order} limit ${most + 1})`,
      ),
    );
    return sql.join(found, sql` union all `);
  };
  const known = await countOf(tx, sql`(${rows(sql`1`, [[]])}) known`, most);
  if (known === 0) return { ids: [], counted: 0, most: MOST_COUNTED };
  if (known > most) return undefined;
  const place = orderById(page, "id", isDescending);
  return first<FoundRows>(
    tx,
    sql`with few as materialized (${rows(sql`r.id`, rests)})
        select (select count(*) from few) as counted, ${MOST_COUNTED}::int as most,
          array(select id from few where ${place.after} order by ${place.order} ${limitTo(page)}) as ids`,
  );
}

function waysByStates(workspaceId: string, filter: RowFilter): Way[] {
  if (!filter.statuses && !filter.outcomes && !filter.flowApiId && !filter.direction) return [];
  // The index call_rows_flow has these in the order of the list.
  if (isOfFlowAlone(filter)) return waysByTime(workspaceId, filter);
  const rest = [...otherConditions(filter), ...checksOfSearch(readSearch(filter.search ?? ""))];
  return [{ arms: armsOf(workspaceId, filter), order: INDEXED, rests: [rest] }];
}

/** Returns the way to the calls of a flow of some time, most of which their ids tell. */
function waysByTime(workspaceId: string, filter: RowFilter): Way[] {
  const bounds = idBounds(filter);
  if (bounds.length === 0) return [];
  const ofFlow = [...stateConditions(workspaceId, filter), ...historyCondition(filter), ...bounds];
  return [{ arms: [sql.join(ofFlow, sql` and `)], order: sql`r.id`, rests: timeParts(filter) }];
}

function isOfFlowAlone({ flowApiId, createdAfter: _after, createdBefore: _before, ...others }: RowFilter): boolean {
  return flowApiId !== undefined && isEmpty(others);
}

/** True for a list of states that rows have, and not only show: an index leads to those that wait for their window. */
function isOfStatesAlone(filter: RowFilter): boolean {
  const { statuses, outcomes: _outcomes, direction: _direction, flowApiId: _flow, jobId: _job, ...others } = filter;
  return !statuses?.includes("WAITING_FOR_WINDOW") && isEmpty(others);
}

function waysByNumber(workspaceId: string, filter: RowFilter): Way[] {
  const { customerNumber, ...others } = filter;
  const parts = readSearch(filter.search ?? "");
  const starts = [filter.customerNumberPrefix ?? [], parts.flatMap(({ start }) => start ?? [])].flat();
  const checks = checksOf(workspaceId, others, parts);
  const numbers =
    customerNumber === undefined
      ? starts.map((start) => numberBounds(sql`r.customer_number`, start))
      : [sql`r.customer_number = ${customerNumber}`];
  return numbers.map((ofNumbers) => {
    const arm = sql`r.workspace_id = ${workspaceId} and ${ofNumbers}`;
    return {
      arms: [arm],
      order: sql`r.customer_number using ~<~`,
      rests: historyParts(filter, arm).map((part) => [...checks, ...part]),
    };
  });
}

/**
 * Parts of the history among the rows of an arm. Of calls that are over, which all are in it, the index of numbers tells
 * that without the rows. It does so for each entry of the arm: as a condition of the index PostgreSQL 18 takes it for one
 * that skips from number to number, and now and then would rather read all calls of the workspace.
 */
function historyParts(filter: RowFilter, arm: RawBuilder<unknown>): RawBuilder<unknown>[][] {
  const history = historyCondition(filter);
  if (history.length === 0) return [[]];
  const open = sql`r.id = any(array(select r.id from call_rows r where ${arm} and (r.ended_at is null) is true))`;
  return [[sql`(r.ended_at is null) is false`], [open, ...history]];
}

/** Returns conditions that each find a part of the rows: without those of jobs that wait, unless they are asked for. */
function armsOf(workspaceId: string, filter: RowFilter): RawBuilder<unknown>[] {
  const states = stateConditions(workspaceId, filter);
  if (filter.jobId || filter.statuses) return [sql.join(states, sql` and `)];
  return [sql`r.status = any(${NOT_QUEUED}::text[])`, sql`r.status = 'QUEUED' and r.job_id = ${NO_JOB}`].map((part) =>
    sql.join([...states, part], sql` and `),
  );
}
