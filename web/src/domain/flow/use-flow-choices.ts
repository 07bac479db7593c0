import type { Flow } from "@parley/sdk";
import { useAllRows } from "#web/api/all-rows.ts";
import { nameOfFlow } from "./flow-name.ts";

/** All flows as choices of a field, by id or apiId. */
export function useFlowChoices(by: "id" | "apiId" = "id"): { value: string; label: string }[] {
  const { data = [] } = useAllRows<Flow>("/flows");
  return data.map((flow) => ({ value: flow[by], label: nameOfFlow(flow) }));
}
