import type { UnknownMember } from "#src/platform/http/unknown-members.ts";
import type { FlowFields } from "./flow-fields.ts";
import { conditionsOf, type FlowStage, type StageCondition, startOf } from "./stages.ts";

/** Finds what a flow's stages can be saved with, and what is likely a mistake. Leaves out what `before` had, too. */
export function findStageSmells(fields: Partial<FlowFields>, before: Partial<FlowFields> = {}): UnknownMember[] {
  const earlier = new Set(smellsOf(before).map(({ key }) => key));
  return smellsOf(fields)
    .filter(({ key }) => !earlier.has(key))
    .map(({ warning }) => warning);
}

interface Smell {
  /** Names the smell whatever the order of the stages. */
  key: string;
  warning: UnknownMember;
}

function smellsOf(fields: Partial<FlowFields>): Smell[] {
  const stages = fields.stages ?? [];
  const entered = findEntered(stages);
  const leaving = findLeaving(stages);
  return stages.flatMap((stage, i) => {
    const smells: Smell[] = [];
    const add = (place: string, message: string) => {
      const path = `/stages/${i}${place}`;
      const member = place.split("/").at(-1) || stage.id;
      smells.push({ key: `${stage.id}${place}`, warning: { path, member, nearest: null, message } });
    };
    if (!entered.has(stage.id)) add("", `No edge leads to ${stage.id}, so no session enters it.`);
    else if (isDeadEnd(stage)) add("/edges", `${stage.id} has no edge, so the session ends once it is done.`);
    else if (!leaving.has(stage.id)) {
      add("/edges", `From ${stage.id} edges lead in a circle: no END, TRANSFER or stage without edges can follow.`);
    }
    const held = findHeld(stage, stages);
    if (held !== null) add("/edges", held);
    if (hasNoPart(stage)) add("/prompt", `${stage.type} does not ask the model, so its prompt has no effect.`);
    if (!fields.model?.modelId) {
      for (const place of findMute(stage)) add(place, "Without examples the scripted model never chooses this.");
    }
    return smells;
  });
}

function isDeadEnd({ type, edges, global }: FlowStage): boolean {
  const ends = type === "END" || type === "TRANSFER" || global?.returns === true;
  return !ends && (edges ?? []).length === 0;
}

/** Says whose answer leads a session no further, because no edge follows it; null where every answer may lead on. */
function findHeld({ id, type, edges, fields }: FlowStage, stages: FlowStage[]): string | null {
  const whens = (edges ?? []).map(({ when }) => when);
  if (type !== "TALK" || whens.length === 0) return null;
  const mayLeave = stages.some(({ global }) => global?.when.type === "MEANING" && global.returns !== true);
  if (whens.length === 1 && whens[0]?.type === "MEANING" && (fields ?? []).length === 0 && !mayLeave) {
    return `Only one meaning leads on from ${id}, so a person who says anything else, such as no, stays there.`;
  }
  const wanted = whens.map(toYesOrNo);
  const [first] = wanted;
  const isOneSided = wanted.every(
    (one) => one && !wanted.some((other) => other?.field === one.field && other.is !== one.is),
  );
  if (!first || !isOneSided) return null;
  return `No edge of ${id} follows where ${first.field} is ${!first.is}, so a person who says ${first.is ? "no" : "yes"} gets no further.`;
}

/** Returns the yes or no that a condition wants of a field; null for any other condition. */
function toYesOrNo({ type, field, operator, value }: StageCondition): { field: string; is: boolean } | null {
  if (type !== "FIELD" || !field || typeof value !== "boolean") return null;
  if (operator === "EQUALS") return { field, is: value };
  return operator === "NOT_EQUALS" ? { field, is: !value } : null;
}

function hasNoPart({ type, prompt }: FlowStage): boolean {
  return type !== "TALK" && type !== "CONFIRM" && Boolean(prompt);
}

/** Returns the places of the meanings without examples. */
function findMute(stage: FlowStage): string[] {
  return conditionsOf(stage)
    .filter(({ when }) => when.type === "MEANING" && (when.examples ?? []).length === 0)
    .map(({ path }) => `/${path.replaceAll(".", "/")}/examples`);
}

/** Returns the stages that a session may enter. */
function findEntered(stages: FlowStage[]): Set<string> {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  const start = startOf(stages);
  const found = new Set<string>();
  const waiting = [...(start ? [start.id] : []), ...stages.filter(({ global }) => global).map(({ id }) => id)];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...nextOf(byId.get(id)));
  }
  return found;
}

/** Returns the stages from which the dialogue can come to an end by its edges. */
function findLeaving(stages: FlowStage[]): Set<string> {
  const before = new Map<string, string[]>();
  for (const stage of stages) for (const to of nextOf(stage)) before.set(to, [...(before.get(to) ?? []), stage.id]);
  const found = new Set<string>();
  const waiting = stages
    .filter((stage) => stage.type === "END" || stage.type === "TRANSFER" || (stage.edges ?? []).length === 0)
    .map(({ id }) => id);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(before.get(id) ?? []));
  }
  return found;
}

function nextOf(stage: FlowStage | undefined): string[] {
  if (!stage) return [];
  return [...(stage.edges ?? []).map(({ to }) => to), ...(stage.onMaxVisits ? [stage.onMaxVisits] : [])];
}
