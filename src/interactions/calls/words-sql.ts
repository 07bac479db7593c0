import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type FoundRows, historyCondition, idBounds, MOST_FOUND, type RowFilter } from "./list-sql.ts";
import { someNamedSql, wordedSql } from "./search-sql.ts";
import { readSearch, type SearchPart } from "./search.ts";
import { checksOf, findInSteps, FIRST, type OrderedList, WALKED_FAR } from "./walk-sql.ts";

/** Rows with a word that are sorted to find the first. */
const MOST_WITH_WORD = 200_000;
/** Rows with a word that are looked at one by one, in the first step and in the other. */
const WITH_WORD = { FEW: 2_000, MANY: MOST_WITH_WORD };

/** A list that is searched by words. */
interface WordList extends OrderedList {
  parts: SearchPart[];
  /** Bounds of the ids of its rows, on `call_names n`. */
  bounds: RawBuilder<unknown>;
}

/**
 * Returns a page of the rows that a search by words finds; undefined for a search by a number alone, and for a page that
 * only reading on finds. The rows of a rare word are looked at one by one; words that most rows have are found at the
 * beginning of the list. Where neither leads to a first page, the answer is a 400.
 */
export async function findByWords(
  tx: Executor,
  workspaceId: string,
  filter: RowFilter,
  isDescending: boolean,
  page: PageRequest,
): Promise<FoundRows | undefined> {
  const parts = readSearch(filter.search ?? "");
  if (!parts.some(({ word }) => word !== undefined)) return undefined;
  const bounds = await boundsOf(tx, workspaceId, filter);
  const list = { workspaceId, filter, parts, isDescending, bounds };
  const found = await findInSteps(tx, list, page, (most) => findRare(tx, list, WITH_WORD[most], page));
  // A reader who has come so far reads on to the end.
  if (found || page.page > 0 || page.after !== undefined) return found;
  const message = `More than ${MOST_WITH_WORD} calls have each of these words, and too few of the first ${WALKED_FAR} have all. Search for a longer word, or filter by a shorter time.`;
  throw new AppError("INVALID_QUERY", message, [{ path: "search", code: "TOO_WIDE", message }]);
}

/** Finds the rows by the words that at most `most` rows have; undefined when each has more. */
async function findRare(tx: Executor, list: WordList, most: number, page: PageRequest): Promise<FoundRows | undefined> {
  const rare = await rareParts(tx, list, most);
  if (rare.length === 0) return undefined;
  const limit = page.after === undefined ? Math.max(MOST_FOUND, (page.page + 1) * page.size) : MOST_FOUND;
  const ids = await idsOf(tx, list, rare, limit + 1);
  if (page.after === undefined) {
    const start = page.page * page.size;
    return { ids: ids.slice(start, start + page.size + 1), counted: ids.length, most: limit };
  }
  const next = await idsOf(tx, list, rare, page.size + 1, page);
  return { ids: next, counted: ids.length, most: limit };
}

/** Returns the words that at most `most` rows have; where none is so rare, the parts that numbers may match by an index. */
async function rareParts(tx: Executor, { workspaceId, parts, bounds }: WordList, most: number): Promise<SearchPart[]> {
  const words = parts.filter(({ digits }) => digits === undefined);
  const sizes = words.map(({ word = "" }) => {
    const named = someNamedSql(workspaceId, word, bounds, most + 1);
    return sql`(select count(*) from ${named} named)`;
  });
  const found = await first<{ sizes: number[] }>(
    tx,
    sql`select array[${sql.join(sizes)}]::int[] as sizes ${sql.raw(PLANNED_ANEW)}`,
  );
  const rare = words.filter((_, i) => (found?.sizes[i] ?? 0) <= most);
  return rare.length > 0 ? rare : parts.filter(({ digits }) => digits !== undefined);
}

/**
 * Returns bounds of the ids that a list may have: those of its time, and those of its job, whose rows mostly came at once.
 * The planner sees the ids of the job themselves, so that it knows how many they are.
 */
async function boundsOf(tx: Executor, workspaceId: string, filter: RowFilter): Promise<RawBuilder<unknown>> {
  const bounds = idBounds(filter, "n.row_id");
  const end = (order: string) => sql`(select r.id from call_rows r where r.workspace_id = ${workspaceId}
    and r.job_id = ${filter.jobId} order by r.id ${sql.raw(order)} limit 1)`;
  const job = filter.jobId
    ? await first<{ from: string | null; to: string | null }>(
        tx,
        sql`select ${end("asc")} as "from", ${end("desc")} as "to"`,
      )
    : undefined;
  if (job?.from && job.to) bounds.push(sql`n.row_id between ${job.from} and ${job.to}`);
  return sql.join([sql``, ...bounds], sql` and `);
}

/** Returns the ids of the first rows that have all `rare` parts and match the list, at most `limit`. */
async function idsOf(
  tx: Executor,
  list: WordList,
  rare: SearchPart[],
  limit: number,
  page?: PageRequest,
): Promise<string[]> {
  const { workspaceId, filter, parts, isDescending, bounds } = list;
  const having = rare.map((part) =>
    part.digits === undefined
      ? someNamedSql(workspaceId, part.word ?? "", bounds, MOST_WITH_WORD)
      : sql`(select id from (${wordedSql(workspaceId, part)}) w)`,
  );
  const others = parts.filter((part) => !rare.includes(part));
  const checks = [...checksOf(workspaceId, filter, others), ...historyCondition(filter)];
  const { after, order } = orderById(page ?? FIRST, "id", isDescending);
  // The offsets keep the order of the steps: the rows are looked at one by one, until there are enough.
  const found = await all<{ id: string }>(
    tx,
    sql`select c.id from
        (select distinct id from (${sql.join(having, sql` intersect `)}) having_all where ${after} order by ${order} offset 0) c
        cross join lateral (select r.id from call_rows r
          where r.id = c.id and ${sql.join(checks, sql` and `)} offset 0) r
        order by ${sql.ref("c.id")} ${sql.raw(isDescending ? "desc" : "asc")} limit ${limit} ${sql.raw(PLANNED_ANEW)}`,
  );
  return found.map(({ id }) => id);
}
