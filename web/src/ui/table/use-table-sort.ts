import { useMemo, useState } from "react";
import { type Column, readServerSort, type ServerSort, type Sort, sortRows, writeServerSort } from "./columns.ts";

/**
 * Returns the rows in their order and what the headers need to change it. The service sorts a list with `server`; any
 * other one is sorted here while it is there as a whole, since a sorted part would mislead.
 */
export function useTableSort<T>(rows: T[], columns: Column<T>[], isWhole: boolean, server: ServerSort | undefined) {
  const [sort, setSort] = useState<Sort | null>(null);
  const shown = useMemo(
    () => (isWhole && !server ? sortRows(rows, columns, sort) : rows),
    [isWhole, server, rows, columns, sort],
  );
  if (server) {
    const onSort = (next: Sort | null) => server.setSort(writeServerSort(next, columns));
    const canSort = ({ sortKey }: Column<T>) => sortKey !== undefined;
    return { shown, head: { sort: readServerSort(server.sort, columns), onSort, canSort } };
  }
  const canSort = ({ value }: Column<T>) => isWhole && value !== undefined;
  return { shown, head: { sort: isWhole ? sort : null, onSort: setSort, canSort } };
}
