import { useAllRows } from "#web/api/all-rows.ts";
import type { Flow, FlowChange } from "./flow.ts";

/** All flows with their last changes. */
export function useFlowLibrary(): { flows: Flow[]; changes: FlowChange[]; isLoading: boolean; error: Error | null } {
  const flows = useAllRows<Flow>("/flows");
  const changes = useAllRows<FlowChange>("/flows/changes");
  return {
    flows: flows.data ?? [],
    changes: changes.data ?? [],
    isLoading: flows.isPending || changes.isPending,
    error: flows.error ?? changes.error,
  };
}
