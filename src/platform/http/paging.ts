import { MOST_COUNTED, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { nullable, type Static, type TSchema, Type } from "./schemas.ts";

/** Query of every paged list: `page` counts from 0, `size` is at most 200 (larger ones are cut to it). */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Page, from 0. Default 0." })),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Rows a page. Default 20, at most 200." }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "nextCursor of the page before; steadier than page while rows arrive.",
    }),
  ),
};

/** Reads the page that a list's query asks for. A malformed cursor is a 400. */
export function readPage(query: { page?: number; size?: number; cursor?: string }): PageRequest {
  return {
    page: query.page ?? 0,
    size: Math.min(query.size ?? 20, 200),
    after: query.cursor === undefined ? undefined : readCursor(query.cursor),
  };
}

function readCursor(cursor: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor)) {
    throw new AppError("INVALID_QUERY", "cursor is not one that this list gave out.", [
      { path: "cursor", code: "FORMAT", message: "Take it from nextCursor of the page before." },
    ]);
  }
  return cursor;
}

/** Members of a list's reply that say how many rows it has. */
export const totals = {
  totalElements: Type.Integer({
    description: `Number of rows; when totalIsExact is false, a number that they exceed: ${MOST_COUNTED}, 1000 of a search, or what the first rows of a list of calls have.`,
  }),
  totalIsExact: Type.Boolean({
    description:
      "False: there are more rows, which are not counted; last and nextCursor tell where the list ends. (extension)",
  }),
};

/** Returns the schema of a page of `item`. */
export function pageOf<T extends TSchema>(item: T, $id: string) {
  return Type.Object(
    {
      content: Type.Array(item),
      page: Type.Integer(),
      size: Type.Integer(),
      ...totals,
      totalPages: Type.Integer({ description: "As far as is known: grows with page while totalIsExact is false." }),
      first: Type.Boolean(),
      last: Type.Boolean(),
      nextCursor: nullable(Type.String({ description: "Cursor of the next page; null on the last." })),
    },
    { $id },
  );
}

export interface Page<T> {
  content: T[];
  page: number;
  size: number;
  totalElements: number;
  totalIsExact: boolean;
  totalPages: number;
  first: boolean;
  last: boolean;
  nextCursor: string | null;
}

/** Returns the totals of a list from its count, which ends above `most`, and the number of rows up to the page's end. */
export function toTotals(
  counted: number,
  seen: number,
  most = MOST_COUNTED,
): { totalElements: number; totalIsExact: boolean } {
  const totalIsExact = counted <= most;
  return { totalElements: totalIsExact ? counted : Math.max(most, seen), totalIsExact };
}

/**
 * Builds the reply of a list from one row more than asked for, which shows whether there is a next page, and the count
 * of its rows, which ends above `most`. The rows are counted only if the page does not tell: most lists have one page,
 * and answer after one statement.
 */
export async function toPage<T extends { id: string }>(
  request: PageRequest,
  found: T[],
  count: number | (() => Promise<number>),
  most = MOST_COUNTED,
): Promise<Page<T>> {
  const content = found.slice(0, request.size);
  const last = found.length <= request.size;
  const isFirst = request.page === 0 && request.after === undefined;
  const seen = found.length === 0 || request.after !== undefined ? 0 : request.page * request.size + found.length;
  const total =
    last && (seen > 0 || isFirst)
      ? { totalElements: seen, totalIsExact: true }
      : toTotals(typeof count === "number" ? count : await count(), seen, most);
  return {
    content,
    page: request.page,
    size: request.size,
    ...total,
    totalPages: Math.ceil(total.totalElements / request.size),
    first: isFirst,
    last,
    nextCursor: last ? null : (content.at(-1)?.id ?? null),
  };
}

export type PageQuery = Static<ReturnType<typeof Type.Object<typeof pageQuery>>>;
