import type { FilterValues } from "./url-state.ts";

/** A filter of a list. `day`: a day in the viewer's time zone, whose label starts with From or Until. */
export interface Filter {
  name: string;
  label: string;
  kind: "text" | "select" | "many" | "day";
  options?: { value: string; label: string }[];
  width?: number;
}

/** Filters, their values, and the function that changes them. */
export interface FilterFieldsProps {
  filters: Filter[];
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
}
