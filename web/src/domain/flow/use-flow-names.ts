import type { Flow } from "@parley/sdk";
import { useAllRows } from "#web/api/all-rows.ts";
import { useMay } from "#web/api/workspace.tsx";
import { nameAmong } from "./flow-name.ts";

/** Reads the flows, for members who may. */
function useFlows() {
  const enabled = useMay("FLOWS_READ");
  const read = useAllRows<Flow>("/flows", { enabled });
  return { flows: read.data, isComing: enabled && read.isPending };
}

/** Returns the flows; none while they load, and for members who may not read flows. */
export function useKnownFlows(): Flow[] {
  return useFlows().flows ?? [];
}

/** Returns a flow; undefined while they load, null where it is not there or may not be read. */
export function useFlow(flowApiId: string): Flow | null | undefined {
  const { flows, isComing } = useFlows();
  return isComing ? undefined : (flows?.find(({ apiId }) => apiId === flowApiId) ?? null);
}

/** Returns a function that gives the name of a flow by its apiId. */
export function useFlowNames(): (apiId: string) => string {
  const flows = useKnownFlows();
  return (apiId) => nameAmong(flows, apiId);
}
