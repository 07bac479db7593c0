import type { StageVisit } from "@parley/sdk";
import type { StageMarks } from "./stage-map.ts";

/** Stages that a session walked through so far. */
export interface StageRun {
  path: StageVisit[];
  isOver: boolean;
}

/** Returns the marks of a run: the stages and edges that it came through, and the stage in which it is. */
export function toRunMarks({ path, isOver }: StageRun): StageMarks {
  const last = path.at(-1);
  const stages: StageMarks["stages"] = new Map();
  for (const { stageId } of path) for (const id of withOuter(stageId)) stages.set(id, "PASSED");
  if (last && !isOver) for (const id of withOuter(last.stageId)) stages.set(id, "CURRENT");
  const taken = path.flatMap(({ stageId, edgeId }) => (edgeId === null ? [] : [`${stageId}.${edgeId}`]));
  return { stages, edges: new Map(taken.map((id) => [id, "PASSED"])) };
}

/** A stage of a sub-flow has the id of the SUBFLOW and a point before its own, and a map has the SUBFLOW alone. */
function withOuter(stageId: string): string[] {
  const steps = stageId.split(".");
  return steps.map((_, index) => steps.slice(0, index + 1).join("."));
}
