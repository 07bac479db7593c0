import type { OutputDefinition } from "#src/engine/models/models.ts";
import { findStage, type StagePlan } from "#src/engine/stages/stage-plan.ts";
import { beginStages, closePath, type StageState, type StageVisit } from "#src/engine/stages/stage-state.ts";
import type { SessionPlan } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";

/** A session's walk through the stages of its plan. */
export interface StageRun {
  readonly plan: StagePlan;
  state: StageState;
  /** The engine has said words of the current stage in this turn. */
  hasSpoken: boolean;
  /** Lines of the transcript that a repeated turn must not take again: what actions said and called. */
  settled: number;
  /** Outputs as a stage offers them, by the names of the fields that it wants. */
  readonly narrowed: Map<string, OutputDefinition[]>;
}

/**
 * Opens the walk of a plan with stages, where it was left or at its start; null for a plan without stages. `before`: the
 * path in the flow from which the session was transferred; null: it was not.
 */
export function openStages(
  { grants, stageState }: SessionPlan,
  ports: Pick<SessionPorts, "now" | "onStage">,
  before: StageVisit[] | null,
  turnIndex = 0,
): StageRun | null {
  const plan = grants?.stages;
  if (!plan || plan.stages.length === 0) return null;
  const at = ports.now().toISOString();
  const goesOn = stageState && findStage(plan, stageState.current) ? stageState : null;
  const begun = goesOn ?? beginStages(plan, { at, turnIndex }, before !== null);
  const path = goesOn ? begun.path : [...closePath(before ?? [], at), ...begun.path];
  // The first stage may last for minutes, and whoever follows the session sees it from its beginning.
  ports.onStage?.(path);
  return { plan, state: { ...begun, path }, hasSpoken: false, settled: 0, narrowed: new Map() };
}
