import { t } from "#web/i18n/t.ts";
import { nameOfStage, type Stage, type StageEdge, startOf } from "./stage.ts";

/** Something at a stage that works, but probably not as meant. */
export interface StageWarning {
  code: "UNUSED" | "DEAD_END" | "ENDLESS" | "HELD";
  message: string;
}

/** Returns what looks wrong in a graph, by the id of the stage. */
export function findStageWarnings(stages: Stage[]): Map<string, StageWarning[]> {
  const found = new Map<string, StageWarning[]>();
  const note = (stage: Stage, warning: StageWarning) => found.set(stage.id, [...(found.get(stage.id) ?? []), warning]);
  const start = startOf(stages);
  if (!start) return found;
  const next = linksOf(stages);
  const entered = followAll([start.id, ...stages.filter(isGlobal).map(({ id }) => id)], next);
  const endable = followAll(
    stages.filter(canEnd).map(({ id }) => id),
    reverse(next),
  );
  for (const stage of stages) {
    if (!entered.has(stage.id)) {
      note(stage, { code: "UNUSED", message: t`Nothing leads to ${nameOfStage(stage)}.` });
    }
    if (isDeadEnd(stage)) {
      note(stage, { code: "DEAD_END", message: t`Nothing leads on from ${nameOfStage(stage)}.` });
    } else if (!endable.has(stage.id) && !goesBack(stage)) {
      note(stage, { code: "ENDLESS", message: t`From ${nameOfStage(stage)} the stages go round without an end.` });
    }
    const held = findHeld(stage, stages);
    if (held !== null) note(stage, { code: "HELD", message: held });
  }
  return found;
}

/** Says whose answer leads a session no further, because no edge follows it; null where every answer may lead on. */
function findHeld(stage: Stage, stages: Stage[]): string | null {
  const { type, edges, fields } = stage;
  if (type !== "TALK" || edges.length === 0) return null;
  const mayLeave = stages.some(({ global }) => global?.when.type === "MEANING" && !global.returns);
  if (edges.length === 1 && edges[0]?.when.type === "MEANING" && fields.length === 0 && !mayLeave) {
    return t`A person who says anything else stays in ${nameOfStage(stage)}: only one meaning leads on.`;
  }
  const wanted = edges.map(toYesOrNo);
  const [first] = wanted;
  const isOneSided = wanted.every(
    (one) => one && !wanted.some((other) => other?.field === one.field && other.is !== one.is),
  );
  if (!first || !isOneSided) return null;
  return first.is
    ? t`A person who says no to ${first.field} gets no further than ${nameOfStage(stage)}: no edge follows it.`
    : t`A person who says yes to ${first.field} gets no further than ${nameOfStage(stage)}: no edge follows it.`;
}

/** Returns the yes or no that an edge wants of a field; null for any other condition. */
function toYesOrNo({ when: { type, field, operator, value } }: StageEdge): { field: string; is: boolean } | null {
  if (type !== "FIELD" || !field || typeof value !== "boolean") return null;
  if (operator === "EQUALS") return { field, is: value };
  return operator === "NOT_EQUALS" ? { field, is: !value } : null;
}

function isGlobal({ global }: Stage): boolean {
  return global !== null;
}

/** A stage that the session leaves for the one before it. */
function goesBack({ global }: Stage): boolean {
  return global?.returns ?? false;
}

function isDeadEnd(stage: Stage): boolean {
  return stage.edges.length === 0 && !isEnd(stage) && !goesBack(stage);
}

/** True where a session ends, or stays: a dead end has a warning of its own. */
function canEnd(stage: Stage): boolean {
  return isEnd(stage) || stage.edges.length === 0;
}

function isEnd({ type }: Stage): boolean {
  return type === "END" || type === "TRANSFER";
}

/** Ids of the stages to which each stage may lead. */
function linksOf(stages: Stage[]): Map<string, string[]> {
  return new Map(
    stages.map(({ id, edges, onMaxVisits }) => [
      id,
      [...edges.map(({ to }) => to), ...(onMaxVisits === null ? [] : [onMaxVisits])],
    ]),
  );
}

function reverse(links: Map<string, string[]>): Map<string, string[]> {
  const back = new Map<string, string[]>();
  for (const [from, targets] of links) for (const to of targets) back.set(to, [...(back.get(to) ?? []), from]);
  return back;
}

function followAll(from: string[], links: Map<string, string[]>): Set<string> {
  const seen = new Set(from);
  const queue = [...from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const to of links.get(id) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return seen;
}
