import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { oneOf, Type } from "./schemas.ts";

/** Order of a list. */
export interface Sort<Column extends string = string> {
  by: Column;
  isDescending: boolean;
}

type SortName<Column extends string> = Column | `-${Column}`;

/** Returns the schema of a list's `sort`: one of its columns, with a minus before it for the descending order. */
export function sortQuery<const Columns extends readonly string[]>(columns: Columns, description: string) {
  const names = columns.flatMap((column: Columns[number]) => [column, `-${column}` as const]);
  return Type.Optional(oneOf(names as SortName<Columns[number]>[], `${description} (extension)`));
}

/** Reads `sort`, which its schema has checked; `fallback` is the list's own order. */
export function readSort<Column extends string>(
  sort: SortName<Column> | undefined,
  fallback: NoInfer<SortName<Column>>,
): Sort<Column> {
  const name: string = sort ?? fallback;
  const isDescending = name.startsWith("-");
  return { by: (isDescending ? name.slice(1) : name) as Column, isDescending };
}

/**
 * Returns the row after which a sorted page begins, as `find` reads it by its id. Answers 400 when it is gone or has no
 * place in this order any more.
 */
export async function readAnchor<Row>(
  { after }: PageRequest,
  find: (id: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (after === undefined) return undefined;
  const row = await find(after);
  if (row) return row;
  throw new AppError("INVALID_QUERY", "The row that cursor stands for is not in this order any more.", [
    { path: "cursor", code: "GONE", message: "Begin at the first page again." },
  ]);
}
