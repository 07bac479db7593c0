import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { type FlowStage, startOf } from "#src/authoring/flows/stages.ts";
import { loadSubFlows, MAX_ALL_STAGES, MAX_FLOW_DEPTH } from "#src/authoring/flows/sub-flows.ts";
import type { Executor } from "#src/platform/db/database.ts";

/** A stage of a flow, or of one that runs in it. */
export interface InlinedStage extends FlowStage {
  /** SUBFLOW: id of the first stage of the flow that runs there. */
  opens?: string;
  /** END of a flow that runs in a SUBFLOW: id of that stage. */
  returnsTo?: string;
}

type Definition = Partial<FlowFields>;

/**
 * Returns a flow's definition with the published stages of the flows that run in it, and with the tools, outputs,
 * transfer targets and variables that these need. Where two outputs, targets or variables have the same name, that of
 * the outer flow counts. A flow without sub-flows is returned as it is.
 */
export async function inlineFlows(db: Executor, workspaceId: string, fields: Definition): Promise<Definition> {
  if (!(fields.stages ?? []).some(({ flowId }) => flowId)) return fields;
  const found = await loadSubFlows(db, workspaceId, fields);
  const used: Definition[] = [];
  const stages = inline(fields.stages ?? [], { found, used, prefix: "", around: null, depth: 0, left: MAX_ALL_STAGES });
  return {
    ...fields,
    stages,
    toolIds: unite(
      fields,
      used,
      ({ toolIds }) => toolIds,
      (id) => id.toLowerCase(),
    ),
    structuredOutputIds: unite(
      fields,
      used,
      ({ structuredOutputIds }) => structuredOutputIds,
      (id) => id.toLowerCase(),
    ),
    structuredOutputs: unite(
      fields,
      used,
      ({ structuredOutputs }) => structuredOutputs,
      ({ name }) => name,
    ),
    transferTargets: unite(
      fields,
      used,
      ({ transferTargets }) => transferTargets,
      ({ name }) => name,
    ),
    localVariables: unite(
      fields,
      used,
      ({ localVariables }) => localVariables,
      ({ variableName }) => variableName,
    ),
  };
}

function unite<One>(
  outer: Definition,
  inner: Definition[],
  pick: (definition: Definition) => One[] | null | undefined,
  keyOf: (one: One) => string,
): One[] {
  const united = new Map<string, One>();
  for (const one of [outer, ...inner].flatMap((definition) => pick(definition) ?? [])) {
    if (!united.has(keyOf(one))) united.set(keyOf(one), one);
  }
  return [...united.values()];
}

interface Inlining {
  found: Map<string, Definition>;
  /** Definitions whose stages were inlined. */
  used: Definition[];
  /** Put before each id. */
  prefix: string;
  /** Id of the SUBFLOW around; null at the top. */
  around: string | null;
  depth: number;
  /** Stages that may still be added. */
  left: number;
}

function inline(stages: FlowStage[], into: Inlining): InlinedStage[] {
  const { prefix, around } = into;
  return stages.flatMap((stage) => {
    const own: InlinedStage = {
      ...stage,
      id: prefix + stage.id,
      edges: (stage.edges ?? []).map((edge) => ({ ...edge, to: prefix + edge.to })),
      ...(stage.onMaxVisits ? { onMaxVisits: prefix + stage.onMaxVisits } : {}),
      ...(stage.type === "END" && around !== null ? { returnsTo: around } : {}),
    };
    const definition = stage.flowId ? into.found.get(stage.flowId.toLowerCase()) : undefined;
    const inner = definition?.stages ?? [];
    const start = startOf(inner);
    const fits = into.depth < MAX_FLOW_DEPTH && inner.length <= into.left;
    if (!definition || !start || !fits) return [own];
    into.used.push(definition);
    into.left -= inner.length;
    const deeper = { ...into, prefix: `${own.id}.`, around: own.id, depth: into.depth + 1 };
    const below = inline(inner, deeper);
    into.left = deeper.left;
    return [{ ...own, opens: `${own.id}.${start.id}` }, ...below];
  });
}
