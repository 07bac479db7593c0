import type { Flow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { nameOfFlow } from "./flow-name.ts";

/** Number of flows that are read for names and choices. */
export const FLOWS_OFFERED = 200;

/** The newest flows as choices of a field, by id or apiId. */
export function useFlowChoices(by: "id" | "apiId" = "id"): { value: string; label: string }[] {
  const { data } = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED });
  return (data?.content ?? []).map((flow) => ({ value: flow[by], label: nameOfFlow(flow) }));
}
