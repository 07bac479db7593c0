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
