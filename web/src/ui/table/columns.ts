import type { ReactNode } from "react";

/** One column of a table. */
export interface Column<T> {
  /** Its name in the address and in CSV. */
  id: string;
  header: string;
  /** Explains the header to who points at it. */
  title?: string;
  cell: (row: T) => ReactNode;
  /** Value for sorting and CSV; without it the column has neither. */
  value?: (row: T) => string | number | null;
  /** Name of the column in the list's `sort`, when the service sorts by it. */
  sortKey?: string;
  align?: "right";
  width?: number | string;
  /** True: hidden on a phone; `medium`: on a tablet, too; `very`: on a small laptop, too. */
  isWide?: Width;
  /** True: hidden while no shown row has a value. */
  isHiddenEmpty?: boolean;
  /** True: not shown until somebody chooses it. */
  isOptional?: boolean;
}

/** Width below which a column is hidden. */
type Width = boolean | "medium" | "very";

/** Column and direction by which rows are sorted. */
export interface Sort {
  id: string;
  isDescending: boolean;
}

/** The order of a list that the service sorts, as in the address: a column, with a minus for descending. */
export interface ServerSort {
  sort: string | null;
  setSort: (sort: string | null) => void;
}

/** Returns the column by which the service sorts, or null for the list's own order. */
export function readServerSort<T>(sort: string | null, columns: Column<T>[]): Sort | null {
  const isDescending = sort?.startsWith("-") === true;
  const name = isDescending ? sort?.slice(1) : sort;
  const column = columns.find(({ sortKey }) => sortKey !== undefined && sortKey === name);
  return column ? { id: column.id, isDescending } : null;
}

/** Returns the order as the service takes it. */
export function writeServerSort<T>(sort: Sort | null, columns: Column<T>[]): string | null {
  const key = columns.find(({ id }) => id === sort?.id)?.sortKey;
  return sort === null || key === undefined ? null : `${sort.isDescending ? "-" : ""}${key}`;
}

/** Sorts the rows; those without a value come last in both directions. */
export function sortRows<T>(rows: T[], columns: Column<T>[], sort: Sort | null): T[] {
  const value = columns.find(({ id }) => id === sort?.id)?.value;
  if (!sort || !value) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (
      sign *
      (typeof left === "number" && typeof right === "number" ? left - right : String(left).localeCompare(String(right)))
    );
  });
}

/** Returns the columns without those that are hidden because none of the rows has a value for them. */
export function withoutEmpty<T>(columns: Column<T>[], rows: T[]): Column<T>[] {
  const isShown = ({ isHiddenEmpty, value }: Column<T>) =>
    isHiddenEmpty !== true || rows.some((row) => (value?.(row) ?? null) !== null);
  return columns.filter(isShown);
}

/** CSS class that hides a column on narrow screens. */
export function widthClass({ isWide = false }: { isWide?: Width }): string {
  if (isWide === false) return "";
  return isWide === true ? "wide-only" : `${isWide}-wide-only`;
}
