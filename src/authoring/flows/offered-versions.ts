import type { Executor } from "#src/platform/db/database.ts";
import { missing } from "#src/platform/kernel/errors.ts";
import type { FlowFields } from "./flow-fields.ts";
import type { SelectedFlow } from "./flows.ts";
import { findFlow } from "./store.ts";
import { findDefinitions } from "./version-sql.ts";

/** A version that new sessions take. */
export interface OfferedVersion {
  /** Null: an inline flow, which has no versions. */
  version: number | null;
  /** Share of new sessions that take it. */
  percent: number;
  fields: Partial<FlowFields>;
}

/** Returns the versions that new sessions of a flow take, the largest share first. */
export async function listOffered(
  db: Executor,
  workspaceId: string,
  { flowId, inline }: SelectedFlow,
): Promise<OfferedVersion[]> {
  if (flowId === null) return [{ version: null, percent: 100, fields: inline ?? {} }];
  const flow = await findFlow(db, workspaceId, flowId);
  if (!flow) throw missing(`Flow ${flowId}`);
  if (!flow.splits) return [{ version: flow.version, percent: 100, fields: flow.definition }];
  const versions = flow.splits.map(({ version }) => version);
  const definitions = await findDefinitions(db, workspaceId, flowId, versions);
  return flow.splits
    .map(({ version, percent }) => ({ version, percent, fields: definitions.get(version) ?? {} }))
    .toSorted((a, b) => b.percent - a.percent);
}
