import type { FilterValues } from "./url-state.ts";

/** One filter of a list. `day`: a day of the viewer's calendar, whose label starts with From or Until. */
export interface Filter {
  name: string;
  label: string;
  kind: "text" | "select" | "many" | "day";
  options?: { value: string; label: string }[];
  width?: number;
}

/** Some filters, what they let through, and how that is changed. */
export interface FilterFieldsProps {
  filters: Filter[];
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
}
