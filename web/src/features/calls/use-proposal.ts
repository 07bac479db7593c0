import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";

/** A suite that was made from a call. */
export interface Proposal {
  /** YAML. */
  suite: string;
  /** Personal data that stand-ins replaced. */
  removed: { kind: string; count: number }[];
  warnings: string[];
}

/** Has a suite made from the call; nothing is stored by it, so it is asked for like a read. */
export function useProposal(rowId: string): UseQueryResult<Proposal> {
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, "proposals", rowId],
    queryFn: () => send<Proposal>("POST", inWorkspace(id, `/call-rows/${rowId}/simulation`)),
    staleTime: Infinity,
    retry: false,
  });
}
