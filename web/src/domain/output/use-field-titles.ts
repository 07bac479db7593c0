import type { StructuredOutput } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { humanizeField, titlesOf } from "./field-titles.ts";

/** Returns a function that gives the title of an extracted field, as the schemas of the workspace call it, or its name as words. */
export function useFieldTitles(): (field: string) => string {
  const mayRead = useMay("STRUCTURED_OUTPUTS_READ");
  const { data } = useRead<StructuredOutput[]>("/structured-outputs", undefined, { enabled: mayRead });
  const titles = titlesOf(data ?? []);
  return (field) => titles.get(field) ?? humanizeField(field);
}
