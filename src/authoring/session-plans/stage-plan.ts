import {
  type FlowStage,
  maxVisitsOf,
  type StageAction,
  type StageCondition,
  startOf,
} from "#src/authoring/flows/stages.ts";
import { SYSTEM_TOOLS } from "#src/authoring/tools/system-tools.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";
import type { PlannedAction, PlannedCondition, PlannedStage, StagePlan } from "#src/engine/stages/stage-plan.ts";
import type { InlinedStage } from "./inline-flows.ts";

/** Returns the stages of a flow in the form that a session walks, with the names of their tools; null without stages. */
export function toStagePlan(stages: FlowStage[] | null | undefined, tools: GrantedTool[]): StagePlan | null {
  const start = startOf(stages ?? []);
  if (!stages || !start) return null;
  const namesOf = nameTools(tools);
  return { start: start.id, stages: stages.map((stage) => toPlanned(stage, namesOf)) };
}

type NamesOf = (toolId: string) => string[];

/** Returns the names of a tool; one of an MCP server has several, and a deleted one none. */
function nameTools(tools: GrantedTool[]): NamesOf {
  const names = new Map<string, string[]>(SYSTEM_TOOLS.map(({ id, name }) => [id, [name]]));
  for (const { id, offer } of tools) names.set(id, [...(names.get(id) ?? []), offer.name]);
  return (toolId) => names.get(toolId.toLowerCase()) ?? [];
}

function toPlanned(stage: InlinedStage, namesOf: NamesOf): PlannedStage {
  return {
    id: stage.id,
    name: stage.name || stage.id,
    type: stage.type,
    prompt: stage.prompt ?? "",
    fields: stage.fields ?? [],
    tools: stage.toolIds ? stage.toolIds.flatMap(namesOf) : null,
    onEntry: toActions(stage.onEntry, namesOf),
    onExit: toActions(stage.onExit, namesOf),
    edges: (stage.edges ?? []).map(({ id, to, label, when }) => ({
      id,
      to,
      label: label ?? "",
      when: toCondition(when, namesOf),
    })),
    global: stage.global
      ? { when: toCondition(stage.global.when, namesOf), returns: stage.global.returns ?? false }
      : null,
    maxVisits: maxVisitsOf(stage),
    onMaxVisits: stage.onMaxVisits ?? null,
    modelId: stage.languageModelId?.toLowerCase() ?? null,
    transferTarget: stage.transferTarget ?? null,
    opens: stage.opens ?? null,
    returnsTo: stage.returnsTo ?? null,
  };
}

function toActions(actions: StageAction[] | null | undefined, namesOf: NamesOf): PlannedAction[] {
  return (actions ?? []).flatMap((action): PlannedAction[] => {
    if (action.type === "SAY") return [{ type: "SAY", text: action.text ?? "" }];
    if (action.type === "SET") return [{ type: "SET", name: action.name ?? "", value: action.value ?? "" }];
    const [tool] = namesOf(action.toolId ?? "");
    return tool === undefined ? [] : [{ type: "CALL_TOOL", tool, input: action.arguments ?? {} }];
  });
}

function toCondition(when: StageCondition, namesOf: NamesOf): PlannedCondition {
  switch (when.type) {
    case "FIELD":
      return { type: "FIELD", field: when.field ?? "", operator: when.operator ?? "IS_SET", value: when.value ?? null };
    case "TOOL_RESULT":
      return { type: "TOOL_RESULT", tools: namesOf(when.toolId ?? ""), outcome: when.outcome ?? "SUCCEEDED" };
    case "EXPRESSION":
      return { type: "EXPRESSION", expression: when.expression ?? "" };
    case "MEANING":
      return { type: "MEANING", description: when.description ?? "", examples: when.examples ?? [] };
    default:
      return { type: when.type };
  }
}
