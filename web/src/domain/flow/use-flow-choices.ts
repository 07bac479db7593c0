import type { Flow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";

const FLOWS_OFFERED = 200;

/** What a flow is called; its name may have been taken away. */
export function nameOfFlow({ name, apiId }: Pick<Flow, "name" | "apiId">): string {
  return name ?? apiId;
}

/** The newest flows as a field offers them, by their id or apiId. */
export function useFlowChoices(by: "id" | "apiId" = "id"): { value: string; label: string }[] {
  const { data } = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED });
  return (data?.content ?? []).map((flow) => ({ value: flow[by], label: nameOfFlow(flow) }));
}
