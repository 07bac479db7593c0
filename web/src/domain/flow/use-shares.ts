import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import type { Flow, Split } from "./flow.ts";

/**
 * Returns how new sessions are shared out over the versions of a flow; undefined until it is known, null where it
 * cannot be read.
 */
export function useShares(flow: Pick<Flow, "id" | "version"> | null | undefined): Split[] | null | undefined {
  const enabled = useMay("FLOWS_READ") && !!flow;
  const { data, error } = useRead<{ splits: Split[] | null }>(`/flows/${flow?.id ?? ""}/split`, undefined, { enabled });
  if (!data || !flow) return error ? null : undefined;
  return data.splits ?? [{ version: flow.version, percent: 100 }];
}

/** True where every new session takes this version. */
export function takesAll(shares: readonly Split[], version: number): boolean {
  return shares.every((share) => share.version === version);
}
