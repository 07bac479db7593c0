import type { RawBuilder } from "kysely";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { orderById } from "#src/platform/db/paged-lists.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import {
  boundsOfJob,
  type FoundRows,
  historyCondition,
  idBounds,
  MOST_FOUND,
  type RowFilter,
  type RowList,
} from "./list-sql.ts";
import { callsOfNumbers, someNamedSql, withNumbers } from "./search-sql.ts";
import { readSearch, type SearchPart } from "./search.ts";
import { checksOf, findInSteps, FIRST, type Step, WALKED_FAR } from "./walk-sql.ts";

/** Rows with a word that are sorted to find the first. */
const MOST_WITH_WORD = 200_000;
/** Rows with a word that are looked at one by one, in each step: of a word that most names have, all of these are counted. */
const WITH_WORD: Record<Step, number> = { FEW: 2_000, SOME: 20_000, MANY: MOST_WITH_WORD };
/** Numbers with digits whose calls are all looked up, likewise. */
const NUMBERS: Record<Step, number> = { FEW: 2_000, SOME: 20_000, MANY: 20_000 };

/** A list that is searched by words. */
interface WordList extends RowList {
  parts: SearchPart[];
  /** Bounds of the ids of its rows, on `call_names n`. */
  bounds: RawBuilder<unknown>;
}

/**
 * Returns a page of the rows that a search by words finds; undefined for a search by a number alone, and for a page that
 * only reading on finds. The rows of a rare word are looked at one by one; words that most rows have are found at the
 * beginning of the list. Where neither leads to a first page, the answer is a 400.
 */
export async function findByWords(tx: Executor, asked: RowList): Promise<FoundRows | undefined> {
  const { workspaceId, filter, page } = asked;
  const parts = readSearch(filter.search ?? "");
  if (!parts.some(({ word }) => word !== undefined)) return undefined;
  const bounds = await boundsOf(tx, workspaceId, filter);
  const list = { ...asked, parts, bounds };
  const found = await findInSteps(tx, list, (step) => findRare(tx, list, step));
  // A reader who has come so far reads on to the end.
  if (found || page.page > 0 || page.after !== undefined) return found;
  const message = `More than ${MOST_WITH_WORD} calls or ${NUMBERS.MANY} numbers have each of these words, and too few of the first ${WALKED_FAR} have all. Search for a longer word, or filter by a shorter time.`;
  throw new AppError("INVALID_QUERY", message, [{ path: "search", code: "TOO_WIDE", message }]);
}

/** Finds the rows by the words that few rows have; undefined when each has more. */
async function findRare(tx: Executor, list: WordList, step: Step): Promise<FoundRows | undefined> {
  const { page } = list;
  const rare = await rareParts(tx, list, WITH_WORD[step]);
  const most = page.after === undefined ? Math.max(MOST_FOUND, (page.page + 1) * page.size) : MOST_FOUND;
  const ids = rare.length > 0 ? await idsOf(tx, { ...list, page: FIRST }, { rare, step }, most + 1) : undefined;
  if (ids === undefined) return undefined;
  if (page.after === undefined) {
    const start = page.page * page.size;
    return { ids: ids.slice(start, start + page.size + 1), counted: ids.length, most };
  }
  const next = await idsOf(tx, list, { rare, step }, page.size + 1);
  return next && { ids: next, counted: ids.length, most };
}

/** Returns the words that at most `most` names have; where none is so rare, the longest that is a part of numbers, too. */
async function rareParts(tx: Executor, { workspaceId, parts, bounds }: WordList, most: number): Promise<SearchPart[]> {
  const sizes = parts.map(({ word = "" }) => {
    const named = someNamedSql(workspaceId, word, bounds, most + 1);
    return sql`(select count(*) from ${named} named)`;
  });
  const found = await first<{ sizes: number[] }>(
    tx,
    sql`select array[${sql.join(sizes)}]::int[] as sizes ${sql.raw(PLANNED_ANEW)}`,
  );
  const rare = parts.filter((_, i) => (found?.sizes[i] ?? 0) <= most);
  const words = rare.filter(({ digits }) => digits === undefined);
  if (words.length > 0) return words;
  return rare.toSorted((a, b) => (b.digits ?? "").length - (a.digits ?? "").length).slice(0, 1);
}

/** Returns bounds of the ids that a list may have: those of its time, and those of its job. */
async function boundsOf(tx: Executor, workspaceId: string, filter: RowFilter): Promise<RawBuilder<unknown>> {
  const ofJob = filter.jobId ? await boundsOfJob(tx, workspaceId, filter.jobId, "n.row_id") : [];
  return sql.join([sql``, ...idBounds(filter, "n.row_id"), ...ofJob], sql` and `);
}

/**
 * Returns the ids of the first rows that have all `rare` parts and match the list, at most `limit`; undefined where too
 * many numbers have the digits.
 */
async function idsOf(
  tx: Executor,
  list: WordList,
  { rare, step }: { rare: SearchPart[]; step: Step },
  limit: number,
): Promise<string[] | undefined> {
  const { workspaceId, filter, parts, bounds, isDescending, page } = list;
  const [part] = rare;
  const others = parts.filter((each) => !rare.includes(each));
  const checks = [...checksOf(workspaceId, filter, others), ...historyCondition(filter)];
  const named = rare.map(({ word = "" }) => someNamedSql(workspaceId, word, bounds, MOST_WITH_WORD));
  const having = fittingOf(list, checks, sql.join(named, sql` intersect `), limit);
  if (part?.digits === undefined) return (await first<{ ids: string[] }>(tx, sql`select array(${having}) as ids`))?.ids;
  const most = NUMBERS[step];
  const { after } = orderById(page, "r.id", isDescending);
  const { order } = orderById(page, "id", isDescending);
  const found = await first<{ numbers: number; ids: string[] }>(
    tx,
    sql`${withNumbers(workspaceId, part.digits, most)}
        select (select count(*) from numbers)::int as numbers, array(select id from (
          select id from (${having}) named where (select count(*) from numbers) <= ${most}
          union ${callsOfNumbers([...checks, after], most)}) fitting order by ${order} limit ${limit}) as ids`,
  );
  return found && found.numbers <= most ? found.ids : undefined;
}

/** Selects the first of the rows with these ids that pass the checks, at most `limit`. */
function fittingOf(
  { isDescending, page }: WordList,
  checks: RawBuilder<unknown>[],
  ids: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const { after, order } = orderById(page, "id", isDescending);
  // The offsets keep the order of the steps: the rows are looked at one by one, until there are enough.
  return sql`select c.id from (select distinct id from (${ids}) having_all where ${after} order by ${order} offset 0) c
    cross join lateral (select r.id from call_rows r where r.id = c.id and ${sql.join(checks, sql` and `)} offset 0) r
    order by c.id ${sql.raw(isDescending ? "desc" : "asc")} limit ${limit} ${sql.raw(PLANNED_ANEW)}`;
}
