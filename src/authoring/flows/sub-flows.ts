import type { Executor } from "#src/platform/db/database.ts";
import { fieldError, missing } from "#src/platform/kernel/errors.ts";
import type { FlowFields } from "./flow-fields.ts";
import { startOf } from "./stages.ts";
import { findFlowsByKey } from "./store.ts";

/** Largest depth of flows that run in flows. */
export const MAX_FLOW_DEPTH = 5;
/** The most stages of a flow and all flows that run in it. */
export const MAX_ALL_STAGES = 500;

/** Returns the flows that run in stages of a flow, without repeats. */
export function subFlowIdsOf({ stages }: Partial<FlowFields>): string[] {
  return [...new Set((stages ?? []).flatMap(({ flowId }) => (flowId ? [flowId.toLowerCase()] : [])))];
}

/**
 * Loads the published definitions of the flows that run in a flow's stages, and in theirs, level by level. A deleted one
 * is left out. Goes no deeper than `MAX_FLOW_DEPTH`, and no further than `MAX_ALL_STAGES`.
 */
export async function loadSubFlows(
  tx: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
): Promise<Map<string, Partial<FlowFields>>> {
  const found = new Map<string, Partial<FlowFields>>();
  let wanted = subFlowIdsOf(fields);
  for (let depth = 0; depth < MAX_FLOW_DEPTH && wanted.length > 0 && found.size < MAX_ALL_STAGES; depth++) {
    const rows = await findFlowsByKey(
      tx,
      wanted.map((flowId) => ({ workspaceId, flowId })),
    );
    for (const { flow_id, definition } of rows) found.set(flow_id, definition);
    wanted = [...new Set(rows.flatMap(({ definition }) => subFlowIdsOf(definition)))].filter((id) => !found.has(id));
  }
  return found;
}

/**
 * Checks the flows that run in a flow's stages: 404 when one that `before` did not name does not exist, 422 when one has
 * no stages, when one runs in itself, or when all of them together are too many or too deep.
 */
export async function assertSubFlows(
  tx: Executor,
  workspaceId: string,
  flowId: string | null,
  fields: Partial<FlowFields>,
  { path, before }: { path: string; before: Partial<FlowFields> },
): Promise<void> {
  const found = await loadSubFlows(tx, workspaceId, fields);
  const earlier = new Set(subFlowIdsOf(before));
  for (const [i, stage] of (fields.stages ?? []).entries()) {
    if (!stage.flowId) continue;
    const place = [path, `stages.${i}.flowId`].filter(Boolean).join(".");
    const id = stage.flowId.toLowerCase();
    const definition = found.get(id);
    if (!definition && !earlier.has(id)) throw missing(`Flow ${stage.flowId}`);
    if (definition && !startOf(definition.stages ?? []))
      throw fieldError(place, "NO_STAGES", "names a flow without stages.");
    const count = countStages(found, id, flowId === null ? [] : [flowId.toLowerCase()]);
    if (count === "CYCLE") throw fieldError(place, "CYCLE", "names a flow that runs in itself.");
    if (count === "DEEP") throw fieldError(place, "TOO_DEEP", `runs flows in flows more than ${MAX_FLOW_DEPTH} deep.`);
    if (count > MAX_ALL_STAGES)
      throw fieldError(place, "TOO_LARGE", `brings more than ${MAX_ALL_STAGES} stages together.`);
  }
}

function countStages(found: Map<string, Partial<FlowFields>>, id: string, above: string[]): number | "CYCLE" | "DEEP" {
  if (above.includes(id)) return "CYCLE";
  if (above.length > MAX_FLOW_DEPTH) return "DEEP";
  const definition = found.get(id);
  let count = definition?.stages?.length ?? 0;
  for (const stage of definition?.stages ?? []) {
    if (!stage.flowId) continue;
    const inner = countStages(found, stage.flowId.toLowerCase(), [...above, id]);
    if (typeof inner === "string") return inner;
    count += inner;
    if (count > MAX_ALL_STAGES) return count;
  }
  return count;
}
