import type { FlowStage, StageAction, StageCondition } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import type { IconName } from "#web/ui/icon.tsx";

/** Kind of a stage. */
export type StageType = FlowStage["type"];

/** Edge to another stage; the edges of a stage are tried in their order. */
export interface StageEdge {
  id: string;
  to: string;
  label: string | null;
  when: StageCondition;
}

/** Place of a stage on the map, in pixels at zoom 1. */
export interface Place {
  x: number;
  y: number;
}

/** A stage with every member. */
export interface Stage {
  id: string;
  name: string | null;
  type: StageType;
  isStart: boolean;
  global: { when: StageCondition; returns: boolean } | null;
  prompt: string | null;
  fields: string[];
  /** Null: all tools of the flow. */
  toolIds: string[] | null;
  onEntry: StageAction[];
  onExit: StageAction[];
  edges: StageEdge[];
  maxVisits: number;
  /** Null: the session ends politely. */
  onMaxVisits: string | null;
  languageModelId: string | null;
  flowId: string | null;
  transferTarget: string | null;
  /** Null: laid out automatically. */
  position: Place | null;
}

/** Most stages of a flow, most edges of a stage, and most actions on entry or exit. */
export const MOST = { stages: 100, edges: 50, actions: 20 } as const;

/** Form of the id of a stage or an edge. */
export const STAGE_ID = /^[a-z][a-z0-9_]{0,49}$/;

/** Visits of a stage where none are set. */
export const DEFAULT_VISITS = 5;

/** Names, explanations and icons of the types. */
export const STAGE_TYPES: Record<StageType, { label: string; description: string; icon: IconName }> = {
  TALK: { label: t`Conversation`, description: t`Speaks by its prompt and asks for its fields.`, icon: "chat" },
  CONFIRM: { label: t`Confirmation`, description: t`Reads its fields back and waits for a yes.`, icon: "check" },
  SUBFLOW: { label: t`Sub-flow`, description: t`Runs the published stages of another flow.`, icon: "flow" },
  TRANSFER: { label: t`Transfer`, description: t`Hands the call to a transfer target.`, icon: "outgoing" },
  END: { label: t`End`, description: t`Says its last words and ends the session.`, icon: "stop" },
};

/** Returns a stage of the API with every member; those that are unset are empty. */
export function toStage(given: Partial<FlowStage> & { id: string }): Stage {
  return {
    id: given.id,
    name: given.name ?? null,
    type: given.type ?? "TALK",
    isStart: given.isStart ?? false,
    global: given.global ? { when: given.global.when, returns: given.global.returns ?? false } : null,
    prompt: given.prompt ?? null,
    fields: given.fields ?? [],
    toolIds: given.toolIds ?? null,
    onEntry: given.onEntry ?? [],
    onExit: given.onExit ?? [],
    edges: (given.edges ?? []).map((edge) => ({ ...edge, label: edge.label ?? null })),
    maxVisits: given.maxVisits ?? DEFAULT_VISITS,
    onMaxVisits: given.onMaxVisits ?? null,
    languageModelId: given.languageModelId ?? null,
    flowId: given.flowId ?? null,
    transferTarget: given.transferTarget ?? null,
    position: given.position ?? null,
  };
}

/** Returns a stage as the API takes it, without the members that are empty. */
export function toStageBody(stage: Stage): FlowStage {
  const { id, type, edges, maxVisits, isStart, toolIds, ...rest } = stage;
  const filled = Object.entries(rest).filter(
    ([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return {
    id,
    type,
    ...(isStart ? { isStart } : {}),
    ...(toolIds === null ? {} : { toolIds }),
    ...Object.fromEntries(filled),
    ...(edges.length === 0 ? {} : { edges: edges.map(toEdgeBody) }),
    ...(maxVisits === DEFAULT_VISITS ? {} : { maxVisits }),
  };
}

function toEdgeBody({ id, to, label, when }: StageEdge) {
  return { id, to, ...(label === null || label === "" ? {} : { label }), when };
}

/** Returns the name of a stage; its id when it has none. */
export function nameOfStage({ id, name }: Pick<Stage, "id" | "name">): string {
  return name !== null && name.trim() !== "" ? name : id;
}

/** Returns the name of the stage with an id; the id itself when there is no such stage. */
export function nameOfId(stages: Stage[], id: string): string {
  const found = stages.find((stage) => stage.id === id);
  return found ? nameOfStage(found) : id;
}

/** Returns the stage in which a session begins; undefined without stages. */
export function startOf(stages: Stage[]): Stage | undefined {
  return stages.find(({ isStart }) => isStart) ?? stages[0];
}
