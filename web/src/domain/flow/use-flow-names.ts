import type { Flow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { nameAmong } from "./flow-name.ts";
import { FLOWS_OFFERED } from "./use-flow-choices.ts";

/** Reads the newest flows, for members who may. */
function useNewestFlows() {
  const enabled = useMay("FLOWS_READ");
  const read = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED }, { enabled });
  return { flows: read.data?.content, isComing: enabled && read.isPending };
}

/** Returns the newest flows; none while they load, and for members who may not read flows. */
export function useKnownFlows(): Flow[] {
  return useNewestFlows().flows ?? [];
}

/** Returns one of the newest flows; undefined while they load, null where it is none of them or may not be read. */
export function useFlow(flowApiId: string): Flow | null | undefined {
  const { flows, isComing } = useNewestFlows();
  return isComing ? undefined : (flows?.find(({ apiId }) => apiId === flowApiId) ?? null);
}

/** Returns a function that gives the name of a flow by its apiId. */
export function useFlowNames(): (apiId: string) => string {
  const flows = useKnownFlows();
  return (apiId) => nameAmong(flows, apiId);
}
