import type { FlowStage, StageAction, StageCondition, StageEdge } from "./stages.ts";

/** Replacements of the ids that stages name; null: nothing has the id, and the stage does without it. */
export interface StageIds {
  tool(id: string): string | null;
  model(id: string): string | null;
  flow(id: string): string | null;
}

/** Ids that stages name. */
export interface NamedIds {
  tools: string[];
  models: string[];
  flows: string[];
}

/** Returns every id of a tool, a model and a flow that stages name, without repeats. */
export function findStageIds(stages: FlowStage[]): NamedIds {
  const tools = new Set<string>();
  const models = new Set<string>();
  const flows = new Set<string>();
  const noted = (set: Set<string>) => (id: string) => {
    set.add(id);
    return id;
  };
  replaceStageIds(stages, { tool: noted(tools), model: noted(models), flow: noted(flows) });
  return { tools: [...tools], models: [...models], flows: [...flows] };
}

/**
 * Returns stages with other ids of tools, models and flows. Without its tool an action or an edge is left out; without
 * its flow a SUBFLOW becomes a TALK that passes on by its edges.
 */
export function replaceStageIds(stages: FlowStage[], ids: StageIds): FlowStage[] {
  return stages.map((stage) => ({ ...stage, ...replaceIn(stage, ids) }));
}

function replaceIn(stage: FlowStage, ids: StageIds): Partial<FlowStage> {
  const { toolIds, onEntry, onExit, edges, languageModelId, flowId, global } = stage;
  const newFlow = flowId ? ids.flow(flowId) : null;
  const keepsGlobal = global && hasTool(global.when, ids);
  return {
    ...(toolIds && { toolIds: toolIds.flatMap((id) => ids.tool(id) ?? []) }),
    ...(onEntry && { onEntry: replaceActions(onEntry, ids) }),
    ...(onExit && { onExit: replaceActions(onExit, ids) }),
    ...(edges && { edges: edges.flatMap((edge) => replaceEdge(edge, ids)) }),
    ...(global && { global: keepsGlobal ? { ...global, when: replaceCondition(global.when, ids) } : null }),
    ...(languageModelId && { languageModelId: ids.model(languageModelId) }),
    ...(flowId && { flowId: newFlow, ...(newFlow === null ? { type: "TALK" as const } : {}) }),
  };
}

function replaceActions(actions: StageAction[], ids: StageIds): StageAction[] {
  return actions.flatMap((action) => {
    if (!action.toolId) return [action];
    const toolId = ids.tool(action.toolId);
    return toolId === null ? [] : [{ ...action, toolId }];
  });
}

function replaceEdge(edge: StageEdge, ids: StageIds): StageEdge[] {
  return hasTool(edge.when, ids) ? [{ ...edge, when: replaceCondition(edge.when, ids) }] : [];
}

function hasTool({ toolId }: StageCondition, ids: StageIds): boolean {
  return !toolId || ids.tool(toolId) !== null;
}

function replaceCondition(when: StageCondition, ids: StageIds): StageCondition {
  return when.toolId ? { ...when, toolId: ids.tool(when.toolId) } : when;
}
