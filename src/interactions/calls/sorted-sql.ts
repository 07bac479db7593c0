import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { readAnchor, type Sort } from "#src/platform/http/sorting.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { conditions, countRows, type RowFilter } from "./list-sql.ts";
import { type CallRowRecord, recordsOf } from "./store.ts";

/** Measures by which calls are sorted. Each has an index in `call_facts`, which is written once a call, after its end. */
export const MEASURES = ["durationSeconds", "latency", "cost"] as const;
export type Measure = (typeof MEASURES)[number];

const COLUMNS: Record<Measure, { name: string; type: string }> = {
  durationSeconds: { name: "duration_ms", type: "int" },
  latency: { name: "latency_ms", type: "float8" },
  cost: { name: "cost", type: "numeric" },
};

/** Calls of a filter that are sorted by reading all of them. */
const MOST_SORTED = 10_000;
/** Calls that are looked at in the order of a measure, to find those of a filter with more calls. */
const MOST_LOOKED_AT = 20_000;

/** A page of a sorted list, with one row more than asked for, and the count of its rows, which ends above `most`. */
export interface SortedRows {
  rows: CallRowRecord[];
  counted: number;
  most: number;
}

/** A list that is sorted by a measure. */
interface SortedList {
  workspaceId: string;
  filter: RowFilter;
  page: PageRequest;
  /** Column of `call_facts f`. */
  column: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** Condition with which the list begins after the page before. */
  after: RawBuilder<unknown>;
}

/**
 * Returns a page of the calls that have a measure, in its order. A filter with few calls has them sorted; one with many
 * is applied along the index of the measure. Where its calls are too far apart there, the answer is a 400.
 */
export async function listSortedRows(
  tx: Executor,
  workspaceId: string,
  filter: RowFilter,
  sort: Sort<Measure>,
  page: PageRequest,
): Promise<SortedRows> {
  const list = { workspaceId, filter, page, ...(await placeOf(tx, workspaceId, sort, page)) };
  if (Object.values(filter).every((value) => value === undefined || value === "")) return listAll(tx, list);
  const matching = await countRows(tx, workspaceId, filter, MOST_SORTED);
  return matching > MOST_SORTED ? findAlongIndex(tx, list) : sortFound(tx, list);
}

async function placeOf(tx: Executor, workspaceId: string, { by, isDescending }: Sort<Measure>, page: PageRequest) {
  const { name, type } = COLUMNS[by];
  const column = sql.raw(`f.${name}`);
  const anchor = await readAnchor(page, (id) =>
    first<{ value: string }>(
      tx,
      sql`select ${column}::text as value from call_facts f
           where f.workspace_id = ${workspaceId} and f.row_id = ${id} and ${column} is not null`,
    ),
  );
  const compared = isDescending ? sql`<` : sql`>`;
  const after = anchor
    ? sql`(${column}, f.row_id) ${compared} (${anchor.value}::${sql.raw(type)}, ${page.after}::uuid)`
    : sql`true`;
  const direction = isDescending ? sql`desc` : sql`asc`;
  return { column, after, order: sql`${column} ${direction}, f.row_id ${direction}` };
}

/** Facts of the workspace that have the measure. */
const measured = ({ workspaceId, column }: SortedList) =>
  sql`f.workspace_id = ${workspaceId} and ${column} is not null`;

/** All calls of a workspace: a walk along the index of the measure. */
async function listAll(tx: Executor, list: SortedList): Promise<SortedRows> {
  const { workspaceId, page, order, after } = list;
  // The offset keeps the planner, which takes the workspace for a small one, from joining and sorting all of its calls.
  const found = sql`select f.row_id from call_facts f
    cross join lateral (select from call_rows r where r.workspace_id = ${workspaceId} and r.id = f.row_id offset 0) r
    where ${measured(list)} and ${after} order by ${order} ${limitTo(page)}`;
  const rows = await readInOrder(tx, list, found);
  const counted = await countOf(tx, sql`call_facts f where ${measured(list)}`, MOST_SORTED);
  return { rows, counted, most: MOST_SORTED };
}

/** Calls of a filter that has few: all are found first, then sorted. */
async function sortFound(tx: Executor, list: SortedList): Promise<SortedRows> {
  const { workspaceId, filter, page, order, after } = list;
  const facts = sql`(select r.id from call_rows r where ${conditions(workspaceId, filter)} limit ${MOST_SORTED}) m
    cross join lateral (
      select * from call_facts f where ${measured(list)} and f.row_id = m.id offset 0) f`;
  const found = sql`select f.row_id from ${facts} where ${after} order by ${order} ${limitTo(page)}`;
  const rows = await readInOrder(tx, list, found);
  return { rows, counted: await countOf(tx, facts, MOST_SORTED), most: MOST_SORTED };
}

/** Calls of a filter that has many, found one by one among the first calls in the order of the measure. */
async function findAlongIndex(tx: Executor, list: SortedList): Promise<SortedRows> {
  const { workspaceId, filter, page, column, order, after } = list;
  if (filter.search) throw tooWide();
  // The limit and the offset keep the planner from reading all calls of the filter first.
  const found = sql`select f.row_id from (select f.* from call_facts f where ${measured(list)} and ${after}
      order by ${order} limit ${MOST_LOOKED_AT}) f
    cross join lateral (select r.id from call_rows r where r.id = f.row_id and ${conditions(workspaceId, filter)} offset 0) r
    order by ${order} ${limitTo(page)}`;
  const rows = await readInOrder(tx, list, found);
  if (rows.length <= page.size && (await isLonger(tx, list, column))) throw tooWide();
  // The calls of the filter that have the measure are not counted.
  return { rows, counted: rows.length + 1, most: rows.length };
}

/** True when more calls have the measure than were looked at. */
async function isLonger(tx: Executor, list: SortedList, column: RawBuilder<unknown>): Promise<boolean> {
  const next = sql`select ${column} from call_facts f where ${measured(list)} and ${list.after}
    order by ${list.order} offset ${MOST_LOOKED_AT} limit 1`;
  return (await first(tx, next)) !== undefined;
}

function tooWide(): AppError {
  const message = `More than ${MOST_SORTED} calls match, and are too far apart in this order. Filter by a shorter time.`;
  return new AppError("INVALID_QUERY", message, [{ path: "sort", code: "TOO_WIDE", message }]);
}

/** Reads the records of the found calls, in their order. */
function readInOrder(tx: Executor, list: SortedList, found: RawBuilder<unknown>): Promise<CallRowRecord[]> {
  const { workspaceId, order } = list;
  const rows = sql`(${found}) found
    join call_facts f on f.workspace_id = ${workspaceId} and f.row_id = found.row_id
    join call_rows r on r.workspace_id = ${workspaceId} and r.id = found.row_id`;
  return all(tx, sql`${recordsOf(rows)} order by ${order} ${sql.raw(PLANNED_ANEW)}`);
}
