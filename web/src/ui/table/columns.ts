import type { ReactNode } from "react";

/** One column of a table. */
export interface Column<T> {
  /** Its name in the address and in CSV. */
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** What sorting and CSV take; without it the column does neither. */
  value?: (row: T) => string | number | null;
  align?: "right";
  width?: number | string;
  /** Left out on a phone's screen; `very`: on a small laptop's, too. */
  isWide?: boolean | "very";
}

/** By which column rows are ordered, and which way. */
export interface Sort {
  id: string;
  isDescending: boolean;
}

/** The rows in order; those without a value come last either way. */
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

/** Leaves a column out where there is no room for it. */
export function widthClass({ isWide }: { isWide?: boolean | "very" }): string {
  return isWide === undefined || isWide === false ? "" : isWide === "very" ? "very-wide-only" : "wide-only";
}
