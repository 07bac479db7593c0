import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";

/** Filters of a list in the address: a name with one or more values. */
export type FilterValues = Record<string, string[]>;

const PAGE = "page";
const SORT = "sort";

/** Filters, order and page of a list, kept in the address, so that a link shows the same rows. */
export function useUrlFilters(names: string[]): {
  values: FilterValues;
  page: number;
  sort: string | null;
  setFilter: (name: string, values: string[]) => void;
  setAll: (values: FilterValues) => void;
  /** `isReplacing`: Back does not return to the page before. */
  setPage: (page: number, isReplacing?: boolean) => void;
  setSort: (sort: string | null) => void;
} {
  const [params, setParams] = useSearchParams();
  const list = names.join();
  const values = useMemo(
    () =>
      Object.fromEntries(
        list
          .split(",")
          .map((name) => [name, params.getAll(name)])
          .filter(([, found]) => found?.length),
      ) as FilterValues,
    [params, list],
  );
  const setFilter = useCallback(
    (name: string, next: string[]) => setParams((before) => withValues(before, { [name]: next }), { replace: true }),
    [setParams],
  );
  const setAll = useCallback(
    (next: FilterValues) => {
      const cleared = Object.fromEntries(list.split(",").map((name) => [name, next[name] ?? []]));
      setParams((before) => withValues(before, cleared));
    },
    [setParams, list],
  );
  const setPage = useCallback(
    (page: number, isReplacing = false) =>
      setParams((before) => withValues(before, { [PAGE]: page === 0 ? [] : [String(page)] }, true), {
        replace: isReplacing,
      }),
    [setParams],
  );
  const setSort = useCallback(
    (sort: string | null) => setParams((before) => withValues(before, { [SORT]: sort === null ? [] : [sort] })),
    [setParams],
  );
  const page = Math.max(0, Math.trunc(Number(params.get(PAGE) ?? 0)) || 0);
  return { values, page, sort: params.get(SORT), setFilter, setAll, setPage, setSort };
}

function withValues(before: URLSearchParams, changes: FilterValues, keepsPage = false): URLSearchParams {
  const after = new URLSearchParams(before);
  if (!keepsPage) after.delete(PAGE);
  for (const [name, values] of Object.entries(changes)) {
    after.delete(name);
    for (const value of values) if (value !== "") after.append(name, value);
  }
  return after;
}
