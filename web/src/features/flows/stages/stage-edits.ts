import type { StageCondition } from "@parley/sdk";
import { layOut } from "#web/domain/stage/stage-layout.ts";
import {
  MOST,
  nameOfStage,
  type Place,
  type Stage,
  type StageEdge,
  startOf,
  toStage,
} from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";

/** A change of a flow's stages. */
export type StageEdit =
  | { type: "ADD"; after: string | null; at: Place | null }
  | { type: "CHANGE"; id: string; to: Partial<Omit<Stage, "id">> }
  | { type: "RENAME"; id: string; to: string }
  | { type: "START"; id: string }
  | { type: "REMOVE"; ids: string[] }
  | { type: "DUPLICATE"; id: string }
  | { type: "MOVE"; places: Map<string, Place> }
  | { type: "TIDY" }
  | { type: "INSERT"; stages: Stage[] }
  | { type: "CONNECT"; from: string; to: string }
  | { type: "CHANGE_EDGE"; from: string; id: string; to: Partial<Omit<StageEdge, "id">> }
  | { type: "REMOVE_EDGE"; from: string; id: string }
  | { type: "SHIFT_EDGE"; from: string; id: string; by: -1 | 1 };

/** Returns the stage or edge that a change made, or the new id of a renamed one; null when it made none. */
export function findMade(
  before: Stage[],
  after: Stage[],
  edit: StageEdit,
): { stageId: string; edgeId: string | null } | null {
  switch (edit.type) {
    case "ADD":
    case "DUPLICATE":
    case "INSERT": {
      const made = after.find(({ id }) => !before.some((stage) => stage.id === id));
      return made ? { stageId: made.id, edgeId: null } : null;
    }
    case "RENAME":
      return { stageId: edit.to, edgeId: null };
    case "CONNECT": {
      const edge = after.find(({ id }) => id === edit.from)?.edges.at(-1);
      return edge ? { stageId: edit.from, edgeId: edge.id } : null;
    }
    default:
      return null;
  }
}

/** Distance of a duplicate from its original, in pixels at zoom 1. */
const ASIDE = 36;

/** Returns the stages after a change; the same list when the change does not apply. */
export function editStages(stages: Stage[], edit: StageEdit): Stage[] {
  switch (edit.type) {
    case "ADD":
      return addStage(stages, edit.after, edit.at);
    case "CHANGE":
      return changeStage(stages, edit.id, (stage) => ({ ...stage, ...edit.to }));
    case "RENAME":
      return renameStage(stages, edit.id, edit.to);
    case "START":
      return stages.map((stage) => ({ ...stage, isStart: stage.id === edit.id }));
    case "REMOVE":
      return removeStages(stages, edit.ids);
    case "DUPLICATE":
      return duplicateStage(stages, edit.id);
    case "MOVE":
      return moveStages(stages, edit.places);
    case "TIDY":
      return stages.map((stage) => ({ ...stage, position: null }));
    case "INSERT":
      return stages.length + edit.stages.length > MOST.stages ? stages : [...stages, ...edit.stages];
    case "CONNECT":
      return connect(stages, edit.from, edit.to);
    case "CHANGE_EDGE":
      return changeStage(stages, edit.from, (stage) => ({
        ...stage,
        edges: stage.edges.map((edge) => (edge.id === edit.id ? { ...edge, ...edit.to } : edge)),
      }));
    case "REMOVE_EDGE":
      return changeStage(stages, edit.from, (stage) => ({
        ...stage,
        edges: stage.edges.filter(({ id }) => id !== edit.id),
      }));
    case "SHIFT_EDGE":
      return changeStage(stages, edit.from, (stage) => ({ ...stage, edges: shift(stage.edges, edit.id, edit.by) }));
  }
}

/** Returns a name that is not taken: the wanted one, or it with a number. */
export function freeId(wanted: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `_${number}`;
    const id = `${wanted.slice(0, 50 - suffix.length)}${suffix}`;
    if (!known.has(id)) return id;
  }
}

/** Returns the condition of a new edge of a stage: its fields where it asks for any. */
function firstCondition({ type, fields }: Stage): StageCondition {
  return fields.length > 0 && type === "TALK" ? { type: "COLLECTED" } : { type: "ALWAYS" };
}

function idsOf(stages: Stage[]): string[] {
  return stages.map(({ id }) => id);
}

function changeStage(stages: Stage[], id: string, change: (stage: Stage) => Stage): Stage[] {
  return stages.map((stage) => (stage.id === id ? change(stage) : stage));
}

function addStage(stages: Stage[], after: string | null, at: Place | null): Stage[] {
  if (stages.length >= MOST.stages) return stages;
  const made = toStage({ id: freeId("stage", idsOf(stages)), position: at });
  const longer = [...stages, made];
  return after === null ? longer : connect(longer, after, made.id);
}

/** Places stages by hand; the others stay where the layout had them. */
function moveStages(stages: Stage[], places: Map<string, Place>): Stage[] {
  const shown = layOut(stages);
  return stages.map((stage) => ({ ...stage, position: places.get(stage.id) ?? shown.get(stage.id) ?? null }));
}

function renameStage(stages: Stage[], from: string, to: string): Stage[] {
  if (stages.some(({ id }) => id === to)) return stages;
  const renamed = (id: string) => (id === from ? to : id);
  return stages.map((stage) => ({
    ...stage,
    id: renamed(stage.id),
    onMaxVisits: stage.onMaxVisits === null ? null : renamed(stage.onMaxVisits),
    edges: stage.edges.map((edge) => ({ ...edge, to: renamed(edge.to) })),
  }));
}

function removeStages(stages: Stage[], ids: string[]): Stage[] {
  const gone = new Set(ids);
  return stages
    .filter(({ id }) => !gone.has(id))
    .map((stage) => ({
      ...stage,
      onMaxVisits: stage.onMaxVisits !== null && gone.has(stage.onMaxVisits) ? null : stage.onMaxVisits,
      edges: stage.edges.filter(({ to }) => !gone.has(to)),
    }));
}

function duplicateStage(stages: Stage[], id: string): Stage[] {
  const index = stages.findIndex((stage) => stage.id === id);
  const original = stages[index];
  if (!original || stages.length >= MOST.stages) return stages;
  const { position } = original;
  const copy: Stage = {
    ...structuredClone(original),
    id: freeId(original.id, idsOf(stages)),
    name: t`${nameOfStage(original)} (copy)`,
    isStart: false,
    position: position && { x: position.x + ASIDE, y: position.y + ASIDE },
  };
  return keepStart(stages, stages.toSpliced(index + 1, 0, copy));
}

/** Marks the start where it is the first stage by its place alone, and would not be it any more. */
function keepStart(before: Stage[], after: Stage[]): Stage[] {
  const start = startOf(before);
  return start && startOf(after)?.id !== start.id ? editStages(after, { type: "START", id: start.id }) : after;
}

function connect(stages: Stage[], from: string, to: string): Stage[] {
  if (!stages.some(({ id }) => id === to)) return stages;
  return changeStage(stages, from, (stage) => {
    if (stage.edges.length >= MOST.edges) return stage;
    const id = freeId(
      `to_${to}`.slice(0, 50),
      stage.edges.map((edge) => edge.id),
    );
    return { ...stage, edges: [...stage.edges, { id, to, label: null, when: firstCondition(stage) }] };
  });
}

function shift(edges: StageEdge[], id: string, by: -1 | 1): StageEdge[] {
  const from = edges.findIndex((edge) => edge.id === id);
  const [edge, other] = [edges[from], edges[from + by]];
  return edge && other ? edges.with(from, other).with(from + by, edge) : edges;
}
