import type { Flow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { nameAmong } from "./flow-name.ts";
import { FLOWS_OFFERED } from "./use-flow-choices.ts";

/** Returns the newest flows; none while they load, and for members who may not read flows. */
export function useKnownFlows(): Flow[] {
  const { data } = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED }, { enabled: useMay("FLOWS_READ") });
  return data?.content ?? [];
}

/** Returns a function that gives the name of a flow by its apiId. */
export function useFlowNames(): (apiId: string) => string {
  const flows = useKnownFlows();
  return (apiId) => nameAmong(flows, apiId);
}
