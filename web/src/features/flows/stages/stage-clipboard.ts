import type { FlowStage } from "@parley/sdk";
import { MOST, type Stage, STAGE_ID, STAGE_TYPES, toStage, toStageBody } from "#web/domain/stage/stage.ts";
import { freeId } from "./stage-edits.ts";

type Members = Record<string, unknown>;

/** Returns stages as the text of a clipboard. */
export function toClipboard(stages: Stage[]): string {
  return JSON.stringify({ parleyStages: stages.map(toStageBody) }, null, 2);
}

/**
 * Returns the stages of a clipboard's text with ids that are free in a flow, without places, without a start where the
 * flow has stages, and without edges to stages that were not copied along. Null when the text holds no stages, or too
 * many.
 */
export function readClipboard(text: string, present: Stage[]): Stage[] | null {
  const bodies = readBodies(text);
  if (bodies === null || bodies.length === 0 || bodies.length + present.length > MOST.stages) return null;
  const taken = present.map(({ id }) => id);
  const ids = new Map<string, string>();
  for (const { id } of bodies) ids.set(id, freeId(id, [...taken, ...ids.values()]));
  if (ids.size < bodies.length) return null;
  return bodies.map((body) => {
    const stage = toStage(body);
    return {
      ...stage,
      id: ids.get(stage.id) as string,
      isStart: stage.isStart && present.length === 0,
      position: null,
      onMaxVisits: ids.get(stage.onMaxVisits ?? "") ?? null,
      edges: stage.edges.flatMap((edge) => {
        const to = ids.get(edge.to);
        return to === undefined ? [] : [{ ...edge, to }];
      }),
    };
  });
}

function readBodies(text: string): FlowStage[] | null {
  try {
    const { parleyStages: list } = JSON.parse(text) as Members;
    return Array.isArray(list) && list.every(isStage) ? list : null;
  } catch {
    return null;
  }
}

/** Checks the members that the editor draws; the API checks the rest when the draft is saved. */
function isStage(value: unknown): value is FlowStage {
  if (!isMembers(value)) return false;
  const { id, type, fields, toolIds, edges, onEntry, onExit, global, maxVisits } = value;
  return (
    isId(id) &&
    typeof type === "string" &&
    Object.hasOwn(STAGE_TYPES, type) &&
    ["name", "prompt", "onMaxVisits", "languageModelId", "flowId", "transferTarget"].every((name) =>
      isUnset(value[name]) ? true : typeof value[name] === "string",
    ) &&
    [fields, toolIds].every((list) => isListOf(list, (one) => typeof one === "string")) &&
    [onEntry, onExit].every((list) => isListOf(list, isTagged)) &&
    isListOf(edges, isEdge) &&
    (isUnset(global) || (isMembers(global) && isTagged(global.when))) &&
    (isUnset(maxVisits) || typeof maxVisits === "number")
  );
}

function isEdge(value: unknown): boolean {
  return (
    isMembers(value) &&
    isId(value.id) &&
    isId(value.to) &&
    isTagged(value.when) &&
    (isUnset(value.label) || typeof value.label === "string")
  );
}

const TAGS = ["ALWAYS", "COLLECTED", "FIELD", "TOOL_RESULT", "EXPRESSION", "MEANING", "SAY", "CALL_TOOL", "SET"];
const TEXTS = ["field", "toolId", "expression", "description", "text", "name"];

function isTagged(value: unknown): boolean {
  return (
    isMembers(value) &&
    TAGS.includes(String(value.type)) &&
    TEXTS.every((name) => isUnset(value[name]) || typeof value[name] === "string") &&
    isListOf(value.examples, (one) => typeof one === "string") &&
    (isUnset(value.arguments) || isMembers(value.arguments))
  );
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return isUnset(value) || (Array.isArray(value) && value.every(isOne));
}

function isId(value: unknown): boolean {
  return typeof value === "string" && STAGE_ID.test(value);
}

function isUnset(value: unknown): boolean {
  return value === null || value === undefined;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
