import type { RawBuilder } from "kysely";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { limitTo, MOST_COUNTED, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import {
  type FoundRows,
  historyCondition,
  idBounds,
  MOST_FOUND,
  otherConditions,
  type RowFilter,
  type RowList,
  stateConditions,
  timeConditions,
} from "./list-sql.ts";
import { checkOf } from "./search-sql.ts";
import { readSearch, type SearchPart } from "./search.ts";

/** Rows that are looked at for a list of some time, or of numbers that start alike. */
const NEAR = MOST_COUNTED + 1;
/** Rows that are looked at for each that a page needs, at least. */
const SPARSE = 10;
/** Rows at the list's beginning that are looked at for what very many rows have; and when that is not enough. */
const WALKED = 2_000;
export const WALKED_FAR = 50_000;
/** The beginning of a list. */
export const FIRST: PageRequest = { page: 0, size: 1, after: undefined };

/** Rows of a list that are looked at, and the most that are counted among them. */
interface Walk {
  rows: number;
  most: number;
}

/**
 * Returns a page of a list of some time, or of numbers that start alike, from its first rows. No index counts what else
 * such a list is filtered by, and a count would go through all of its time.
 */
export async function findNear(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const { workspaceId, filter } = list;
  const parts = readSearch(filter.search ?? "");
  const isOfNumbers = filter.customerNumberPrefix !== undefined || parts.some(({ start }) => start !== undefined);
  if (!isOfNumbers && (parts.length > 0 || (!filter.createdAfter && !filter.createdBefore))) return undefined;
  const checks = checksOf(workspaceId, filter, parts);
  return walk(tx, list, checks, { rows: NEAR, most: MOST_COUNTED });
}

/**
 * Returns a page of a list of states that more than MOST_COUNTED rows have, from its first rows. The planner takes each
 * workspace for a small part of all calls: where one has nearly all of them, it would read every row of the states.
 */
export async function findSoon(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const checks = checksOf(list.workspaceId, list.filter, []);
  const found =
    (await walk(tx, list, checks, { rows: WALKED, most: MOST_COUNTED })) ??
    (await walk(tx, list, checks, { rows: NEAR, most: MOST_COUNTED })) ??
    (await walk(tx, list, checks, { rows: WALKED_FAR, most: MOST_COUNTED }));
  // Some of these may show another state than the stored one.
  const areAll = otherConditions(list.filter).length === 0;
  return found && areAll ? { ...found, counted: MOST_COUNTED + 1, most: MOST_COUNTED } : found;
}

/** Conditions of a list that are looked up in a row, the cheap ones first. */
export function checksOf(workspaceId: string, filter: RowFilter, parts: SearchPart[]): RawBuilder<unknown>[] {
  return [
    ...stateConditions(workspaceId, filter),
    ...otherConditions(filter),
    ...parts.map((part) => checkOf(workspaceId, part)),
  ];
}

/**
 * Returns a page of the rows that a search finds, in steps that each end: what few rows have is looked up, and what very
 * many have is found at the beginning of the list; first with little work, then with more.
 */
export async function findInSteps(
  tx: Executor,
  list: RowList & { parts: SearchPart[] },
  lookUp: (most: "FEW" | "MANY") => Promise<FoundRows | undefined>,
): Promise<FoundRows | undefined> {
  const checks = checksOf(list.workspaceId, list.filter, list.parts);
  return (
    (await lookUp("FEW")) ??
    (await walk(tx, list, checks, { rows: WALKED, most: MOST_FOUND })) ??
    (await lookUp("MANY")) ??
    (await walk(tx, list, checks, { rows: WALKED_FAR, most: MOST_FOUND }))
  );
}

/** True for a page that so many rows hardly hold. */
export function isFar({ page, size, after }: PageRequest, rows = NEAR): boolean {
  return after === undefined && SPARSE * (page + 1) * size > rows;
}

/**
 * Looks at the first rows of the list, and which of them pass the checks. Undefined where they neither hold the page nor
 * are the whole list. A count that ends there is not exact.
 */
async function walk(
  tx: Executor,
  list: RowList,
  checks: RawBuilder<unknown>[],
  { rows, most }: Walk,
): Promise<FoundRows | undefined> {
  const { page } = list;
  if (isFar(page, rows)) return undefined;
  const seen = await lookAt(tx, list, checks, rows);
  if (seen.looked >= rows && seen.ids.length <= page.size) return undefined;
  const all = page.after === undefined ? seen : await lookAt(tx, { ...list, page: FIRST }, checks, rows);
  const isWhole = all.looked < rows && all.counted <= most;
  const counted = Math.min(all.counted, most + 1);
  return { ids: seen.ids, counted, most: isWhole ? most : counted - 1 };
}

/** Returns the ids of a page and the count of the rows that pass, among the first rows of the list. */
async function lookAt(
  tx: Executor,
  { workspaceId, filter, isDescending, page }: RowList,
  checks: RawBuilder<unknown>[],
  rows: number,
) {
  const { after, order } = orderById(page, "r.id", isDescending);
  const job = filter.jobId ? [sql`r.job_id = ${filter.jobId}`] : [];
  const times = [...idBounds(filter), ...timeConditions(filter)];
  const listed = [sql`r.workspace_id = ${workspaceId}`, ...job, ...historyCondition(filter), ...times, after];
  const seen = await first<{ looked: number; counted: number; ids: string[] }>(
    tx,
    sql`with looked as materialized (
          select r.id, ${sql.join(checks, sql` and `)} as fits
            from (select r.* from call_rows r where ${sql.join(listed, sql` and `)} order by ${order} limit ${rows}) r
        )
        select (select count(*) from looked) as looked, (select count(*) from looked where fits) as counted,
          array(select r.id from looked r where r.fits order by ${order} ${limitTo(page)}) as ids ${sql.raw(PLANNED_ANEW)}`,
  );
  return seen ?? { looked: 0, counted: 0, ids: [] };
}
