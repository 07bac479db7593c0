import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { orderById } from "#src/platform/db/paged-lists.ts";
import { type FoundRows, historyCondition, MOST_FOUND, type RowList } from "./list-sql.ts";
import { callsOfNumbers, withNumbers } from "./search-sql.ts";
import { readSearch, type SearchPart } from "./search.ts";
import { checksOf, findInSteps, FIRST } from "./walk-sql.ts";

/** Numbers whose calls are all looked up, in the first step and in the second. */
const NUMBERS = { FEW: 500, SOME: 20_000 };

/** A list that is searched by digits of numbers. */
interface DigitList extends RowList {
  parts: SearchPart[];
  digits: string;
}

/**
 * Returns a page of the rows that a search by digits finds; undefined for another search, and for a page that only
 * reading on finds. Calls of few numbers are looked up by them; digits that many numbers have are found at the beginning
 * of the list.
 */
export async function findByNumbers(tx: Executor, asked: RowList): Promise<FoundRows | undefined> {
  const parts = readSearch(asked.filter.search ?? "");
  const [part] = parts;
  if (part?.digits === undefined || part.word !== undefined || parts.length > 1) return undefined;
  const list = { ...asked, parts, digits: part.digits };
  return findInSteps(tx, list, async (step) => (step === "MANY" ? undefined : lookUp(tx, list, NUMBERS[step])));
}

/** Looks up the calls of all numbers with the digits; undefined for more than `most` numbers, and for a far page. */
async function lookUp(tx: Executor, list: DigitList, most: number): Promise<FoundRows | undefined> {
  const { page } = list;
  const start = page.page * page.size;
  if (page.after === undefined && start + page.size > MOST_FOUND) return undefined;
  const ids = await idsOf(tx, { ...list, page: FIRST }, most, MOST_FOUND + 1);
  if (ids === undefined) return undefined;
  const counted = { counted: ids.length, most: MOST_FOUND };
  if (page.after === undefined) return { ids: ids.slice(start, start + page.size + 1), ...counted };
  const next = await idsOf(tx, list, most, page.size + 1);
  return next && { ids: next, ...counted };
}

/** Returns the ids of the calls from a page on, at most `limit`; undefined for more than `most` numbers. */
async function idsOf(tx: Executor, list: DigitList, most: number, limit: number): Promise<string[] | undefined> {
  const { workspaceId, filter, digits, isDescending, page } = list;
  const { after, order } = orderById(page, "r.id", isDescending);
  const wanted = [...checksOf(workspaceId, filter, []), ...historyCondition(filter), after];
  const found = await first<{ numbers: number; ids: string[] }>(
    tx,
    sql`${withNumbers(workspaceId, digits, most)}
        select (select count(*) from numbers)::int as numbers,
          array(${callsOfNumbers(wanted, most)} order by ${order} limit ${limit}) as ids ${sql.raw(PLANNED_ANEW)}`,
  );
  return found && found.numbers <= most ? found.ids : undefined;
}
