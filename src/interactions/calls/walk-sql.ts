import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, limitTo, MOST_COUNTED, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import {
  countRows,
  type FoundRows,
  historyCondition,
  idBounds,
  isEmpty,
  MOST_FOUND,
  otherConditions,
  type RowFilter,
  type RowList,
  stateConditions,
  timeConditions,
  timeParts,
} from "./list-sql.ts";
import { checksOfSearch } from "./search-sql.ts";
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

/** Steps in which a search looks up more and more. */
export type Step = "FEW" | "SOME" | "MANY";

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
  if (isOfTimeAlone(filter)) {
    const found = await findByTime(tx, list);
    if (found) return found;
  }
  const parts = readSearch(filter.search ?? "");
  const isOfNumbers = filter.customerNumberPrefix !== undefined || parts.some(({ start }) => start !== undefined);
  if (!isOfNumbers && (parts.length > 0 || (!filter.createdAfter && !filter.createdBefore))) return undefined;
  const checks = checksOf(workspaceId, filter, parts);
  return (await walk(tx, list, checks, { rows: NEAR, most: MOST_COUNTED })).found;
}

/** True for a list of all calls, or all of a job, of some time. */
function isOfTimeAlone({ createdAfter, createdBefore, jobId: _job, ...others }: RowFilter): boolean {
  return Boolean(createdAfter ?? createdBefore) && isEmpty(others);
}

/**
 * Returns a page of a list of some time that more than MOST_COUNTED rows have: their ids tell that so many are of the
 * time, and only rows of the hours at its ends are looked at. Undefined for fewer.
 */
async function findByTime(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  const { workspaceId, filter, page } = list;
  const [sure = []] = timeParts(filter);
  const listed = sql.join([...stateConditions(workspaceId, filter), ...historyCondition(filter), ...sure], sql` and `);
  const counted = await countOf(tx, sql`call_rows r where ${listed} ${sql.raw(PLANNED_ANEW)}`);
  if (counted <= MOST_COUNTED) return undefined;
  const { order } = orderById(page, "r.id", list.isDescending);
  const end = page.size + 1 + (page.after === undefined ? page.page * page.size : 0);
  const found = await all<{ id: string }>(
    tx,
    sql`select r.id from (${firstRows(list, end)}) r order by ${order} ${limitTo(page)} ${sql.raw(PLANNED_ANEW)}`,
  );
  return { ids: found.map(({ id }) => id), counted, most: MOST_COUNTED };
}

/**
 * Returns a page of a list of states that more than MOST_COUNTED rows have, from its first rows. The planner takes each
 * workspace for a small part of all calls: where one has nearly all of them, it would read every row of the states.
 */
export async function findSoon(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  if (isAsStored(list.filter)) return readOn(tx, list, WALKED_FAR);
  const checks = checksOf(list.workspaceId, list.filter, []);
  for (const rows of [WALKED, NEAR, WALKED_FAR]) {
    const { found } = await walk(tx, list, checks, { rows, most: MOST_COUNTED });
    if (found) return found;
  }
  return readOn(tx, list, WALKED_FAR);
}

/** Returns a page of a list of states from very few of its first rows, as most lists of frequent states have it. */
export async function findAtOnce(tx: Executor, list: RowList): Promise<FoundRows | undefined> {
  return isAsStored(list.filter) && !isFar(list.page, WALKED) ? readOn(tx, list, WALKED) : undefined;
}

/** True where no row of the list may show another state than the stored one. */
export const isAsStored = (filter: RowFilter) => otherConditions(filter).length === 0;

/** Returns a page of a list of such states by reading its first rows until the page is whole, at most so many rows. */
export async function readOn(tx: Executor, list: RowList, rows: number): Promise<FoundRows | undefined> {
  const { workspaceId, filter } = list;
  const ids = await readFitting(tx, list, checksOf(workspaceId, filter, []), rows);
  if (!ids) return undefined;
  return { ids, counted: await countMany(tx, list), most: MOST_COUNTED };
}

/** Returns the count of a list of states that more than MOST_COUNTED rows have, of which fewer may show them. */
export async function countMany(tx: Executor, { workspaceId, filter }: RowList): Promise<number> {
  return isAsStored(filter) ? MOST_COUNTED + 1 : countRows(tx, workspaceId, filter);
}

/** Returns the ids of a page of rows that pass the checks; undefined where the first rows, so many, do not have a whole one. */
async function readFitting(
  tx: Executor,
  list: RowList,
  checks: RawBuilder<unknown>[],
  rows: number,
): Promise<string[] | undefined> {
  const { order } = orderById(list.page, "r.id", list.isDescending);
  const found = await all<{ id: string }>(
    tx,
    sql`select r.id from (${firstRows(list, rows)}) r where ${sql.join(checks, sql` and `)}
        order by ${order} ${limitTo(list.page)} ${sql.raw(PLANNED_ANEW)}`,
  );
  return found.length > list.page.size ? found.map(({ id }) => id) : undefined;
}

/** Selects the first rows of a list from its page on, before they are filtered. */
function firstRows({ workspaceId, filter, isDescending, page }: RowList, rows: number): RawBuilder<unknown> {
  const { after, order } = orderById(page, "r.id", isDescending);
  const job = filter.jobId ? [sql`r.job_id = ${filter.jobId}`] : [];
  const times = [...idBounds(filter), ...timeConditions(filter)];
  const listed = [sql`r.workspace_id = ${workspaceId}`, ...job, ...historyCondition(filter), ...times, after];
  return sql`select r.* from call_rows r where ${sql.join(listed, sql` and `)} order by ${order} limit ${rows}`;
}

/** Conditions of a list that are looked up in a row, the cheap ones first. */
export function checksOf(workspaceId: string, filter: RowFilter, parts: SearchPart[]): RawBuilder<unknown>[] {
  return [...stateConditions(workspaceId, filter), ...otherConditions(filter), ...checksOfSearch(parts)];
}

/**
 * Returns a page of the rows that a search finds, in steps that each end: what few rows have is looked up, and what very
 * many have is found at the beginning of the list; first with little work, then with more.
 */
export async function findInSteps(
  tx: Executor,
  list: RowList & { parts: SearchPart[] },
  lookUp: (most: Step) => Promise<FoundRows | undefined>,
): Promise<FoundRows | undefined> {
  const checks = checksOf(list.workspaceId, list.filter, list.parts);
  const among = (rows: number) => walk(tx, list, checks, { rows, most: MOST_FOUND });
  const few = await lookUp("FEW");
  if (few) return few;
  const { found, passed } = await among(WALKED);
  if (found) return found;
  const ids = isSoon(list, passed) ? await readFitting(tx, list, checks, WALKED_FAR) : undefined;
  if (ids) return { ids, ...countedSoFar(list.page, ids, passed) };
  return (await lookUp("SOME")) ?? (await lookUp("MANY")) ?? (await among(WALKED_FAR)).found;
}

/**
 * True where the rows at the list's beginning hold the page of a search by digits, if they go on as the first WALKED, of
 * which so many passed: to look up all numbers with the digits is more work.
 */
function isSoon({ parts, page }: RowList & { parts: SearchPart[] }, passed: number): boolean {
  if (parts.every(({ digits }) => digits === undefined)) return false;
  const place = page.after === undefined ? page.page + 1 : 1;
  return 2 * WALKED * place * page.size <= passed * WALKED_FAR;
}

/** Returns the count of a search whose page was read without the rows after it. */
function countedSoFar({ page, size, after }: PageRequest, ids: string[], passed: number): Omit<FoundRows, "ids"> {
  const seen = ids.length + (after === undefined ? page * size : 0);
  const counted = Math.min(Math.max(passed, seen), MOST_FOUND + 1);
  return { counted, most: counted - 1 };
}

/** True for a page that so many rows hardly hold. */
export function isFar({ page, size, after }: PageRequest, rows = NEAR): boolean {
  return after === undefined && SPARSE * (page + 1) * size > rows;
}

/**
 * Looks at the first rows of the list, and which of them pass the checks. Finds nothing where they neither hold the page
 * nor are the whole list. A count that ends there is not exact.
 */
async function walk(
  tx: Executor,
  list: RowList,
  checks: RawBuilder<unknown>[],
  { rows, most }: Walk,
): Promise<{ found?: FoundRows; passed: number }> {
  const { page } = list;
  if (isFar(page, rows)) return { passed: 0 };
  const seen = await lookAt(tx, list, checks, rows);
  if (seen.looked >= rows && seen.ids.length <= page.size) return { passed: seen.counted };
  const all = page.after === undefined ? seen : await lookAt(tx, { ...list, page: FIRST }, checks, rows);
  const isWhole = all.looked < rows && all.counted <= most;
  const counted = Math.min(all.counted, most + 1);
  return { found: { ids: seen.ids, counted, most: isWhole ? most : counted - 1 }, passed: seen.counted };
}

/** Returns the ids of a page and the count of the rows that pass, among the first rows of the list. */
async function lookAt(tx: Executor, list: RowList, checks: RawBuilder<unknown>[], rows: number) {
  const { page, isDescending } = list;
  const { order } = orderById(page, "r.id", isDescending);
  const seen = await first<{ looked: number; counted: number; ids: string[] }>(
    tx,
    sql`with looked as materialized (
          select r.id, ${sql.join(checks, sql` and `)} as fits from (${firstRows(list, rows)}) r
        )
        select (select count(*) from looked) as looked, (select count(*) from looked where fits) as counted,
          array(select r.id from looked r where r.fits order by ${order} ${limitTo(page)}) as ids ${sql.raw(PLANNED_ANEW)}`,
  );
  return seen ?? { looked: 0, counted: 0, ids: [] };
}
