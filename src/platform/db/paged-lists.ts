import type { RawBuilder } from "kysely";
import { type Executor, first, sql } from "./database.ts";

/** Page of a list that a request asks for. */
export interface PageRequest {
  page: number;
  size: number;
  /** The last id of the page before. */
  after: string | undefined;
}

/** Returns the condition with which a list by ascending id begins after the page before. */
export function isAfter({ after }: PageRequest, column = "id") {
  return after === undefined ? sql`true` : sql`${sql.ref(column)} > ${after}`;
}

/** Returns the condition with which a list by descending id begins after the page before. */
export function isBefore({ after }: PageRequest, column = "id") {
  return after === undefined ? sql`true` : sql`${sql.ref(column)} < ${after}`;
}

/** Returns the order of a list by id, and the condition with which it begins after the page before. */
export function orderById(page: PageRequest, column: string, isDescending: boolean) {
  return isDescending
    ? { after: isBefore(page, column), order: sql`${sql.ref(column)} desc` }
    : { after: isAfter(page, column), order: sql`${sql.ref(column)} asc` };
}

/** Returns the limit of a page, with one row more, which shows whether there is a next page. */
export function limitTo({ page, size, after }: PageRequest) {
  return sql`limit ${size + 1} offset ${after === undefined ? page * size : 0}`;
}

/**
 * Selects the ids of a page of a list by id from the parts of the list: `calls where status = …`. Each is read no further
 * than the page goes, in the order of its index.
 */
export function idsOf(parts: RawBuilder<unknown>[], page: PageRequest, isDescending: boolean) {
  const { after, order } = orderById(page, "id", isDescending);
  const end = page.size + 1 + (page.after === undefined ? page.page * page.size : 0);
  const read = parts.map((part) => sql`(select id from ${part} and ${after} order by ${order} limit ${end})`);
  return sql`select id from (${sql.join(read, sql` union all `)}) parts order by ${order} ${limitTo(page)}`;
}

/** Counts the rows of a list that has these parts, as `countOf` does. */
export function countOfParts(executor: Executor, parts: RawBuilder<unknown>[]): Promise<number> {
  const read = parts.map((part) => sql`select 1 from ${part}`);
  return countOf(executor, sql`(${sql.join(read, sql` union all `)}) parts`);
}

/** Rows of a list that are counted. Counting all of a million takes a second of the database, for every page. */
export const MOST_COUNTED = 10_000;

/** Counts the rows of a list: `calls where workspace_id = …`. Counting stops at one more than `most`. */
export function countOf(executor: Executor, from: RawBuilder<unknown>, most = MOST_COUNTED): Promise<number> {
  return countAll(executor, sql`(select 1 from ${from} limit ${most + 1}) as counted`);
}

/** Counts all rows of a table under conditions, which are few, or have to be known exactly. */
export async function countAll(executor: Executor, from: RawBuilder<unknown>): Promise<number> {
  const row = await first<{ count: number }>(executor, sql`select count(*) as count from ${from}`);
  return row?.count ?? 0;
}
