import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";

/** A suite that was made from a call. */
export interface Proposal {
  /** YAML. */
  suite: string;
  /** Personal data that was replaced by placeholders. */
  removed: { kind: string; count: number }[];
  notes: string[];
}

/** Requests a suite made from the call. The server stores nothing, so this is a query. */
export function useProposal(rowId: string): UseQueryResult<Proposal> {
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, "proposals", rowId],
    queryFn: () => send<Proposal>("POST", inWorkspace(id, `/call-rows/${rowId}/simulation`)),
    staleTime: Infinity,
    retry: false,
  });
}
