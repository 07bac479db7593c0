import type { Flow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";

const FLOWS_OFFERED = 200;

/** Name of a flow; its apiId when the name was cleared. */
export function nameOfFlow({ name, apiId }: Pick<Flow, "name" | "apiId">): string {
  return name ?? apiId;
}

/** The newest flows as choices of a field, by id or apiId. */
export function useFlowChoices(by: "id" | "apiId" = "id"): { value: string; label: string }[] {
  const { data } = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED });
  return (data?.content ?? []).map((flow) => ({ value: flow[by], label: nameOfFlow(flow) }));
}
