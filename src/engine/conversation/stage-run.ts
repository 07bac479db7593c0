import type { OutputDefinition } from "#src/engine/models/models.ts";
import { isWanted, narrowOutputs, outputFields } from "#src/engine/stages/needed-fields.ts";
import type { StageFacts } from "#src/engine/stages/next-move.ts";
import { findStage, type PlannedStage, type StagePlan } from "#src/engine/stages/stage-plan.ts";
import { beginStages, closePath, type StageState, type StageVisit } from "#src/engine/stages/stage-state.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import type { SessionPlan } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import type { SessionState } from "./session-state.ts";

/** A session's walk through the stages of its plan. */
export interface StageRun {
  readonly plan: StagePlan;
  state: StageState;
  /** The engine has said words of the current stage in this turn. */
  hasSpoken: boolean;
  /** Lines of the transcript that a repeated turn must not take again: what actions said and called. */
  settled: number;
  /** Outputs narrowed to the fields of a stage, by their names. */
  readonly narrowed: Map<string, OutputDefinition[]>;
}

/** Opens the walk of a plan with stages, where it was left or at its start; null for a plan without stages. */
export function openStages(
  { grants, stageState }: SessionPlan,
  ports: Pick<SessionPorts, "now">,
  before: StageVisit[],
  turnIndex = 0,
): StageRun | null {
  const plan = grants?.stages;
  if (!plan || plan.stages.length === 0) return null;
  const at = ports.now().toISOString();
  const goesOn = stageState && findStage(plan, stageState.current) ? stageState : null;
  const begun = goesOn ?? beginStages(plan, { at, turnIndex });
  const path = goesOn ? begun.path : [...closePath(before, at), ...begun.path];
  return { plan, state: { ...begun, path }, hasSpoken: false, settled: 0, narrowed: new Map() };
}

/** Returns the stage in which a session is. */
export function currentStage({ plan, state }: StageRun): PlannedStage {
  return findStage(plan, state.current) as PlannedStage;
}

/** Returns the variables of templates in stages: the session's, the fields so far and the stage. */
export function stageVariables(session: SessionState, run: StageRun): Record<string, unknown> {
  const { id, name } = currentStage(run);
  const visits = run.state.visits[id] ?? 0;
  return { ...session.variables, fields: run.state.fields, stage: { id, name, visits } };
}

/** Renders a template of a stage; empty when it fails, which the session notes. */
export function renderInStage(session: SessionState, run: StageRun, template: string): string {
  const { plan } = session;
  try {
    const globals = { memory: plan.memory, channel: plan.channel, language: plan.flow.language };
    return renderTemplate(template, stageVariables(session, run), globals).trim();
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown;
    session.notedError ??= {
      code: thrown.code,
      message: `stage ${run.state.current}: ${thrown.message}`.slice(0, 500),
    };
    return "";
  }
}

/** Returns the fields of the current stage that apply: their output's condition holds, and so do its branches. */
export function wantedFields(session: SessionState, run: StageRun): string[] {
  const { plan, ports } = session;
  const known = outputFields(plan.outputs);
  return currentStage(run).fields.filter((name) => {
    const field = known.get(name);
    if (!field || !isWanted(name, field, run.state.fields, ports.validate)) return false;
    const condition = plan.outputs.find((output) => output === field.output)?.condition ?? "";
    return condition.trim() === "" || !["", "0", "false"].includes(renderInStage(session, run, condition));
  });
}

/** Returns the facts by which the next move is decided. */
export function stageFacts(session: SessionState, run: StageRun): StageFacts {
  const { fields, declined } = run.state;
  const wanted = wantedFields(session, run);
  const missing = wanted.filter((name) => !Object.hasOwn(fields, name));
  return {
    toAsk: missing.filter((name) => !declined.includes(name)),
    isCollected: missing.length === 0,
    holds: (expression) => !["", "0", "false"].includes(renderInStage(session, run, expression)),
  };
}

/** Returns the outputs with the fields of the current stage alone; the same list for the same fields. */
export function stageOutputs(session: SessionState, run: StageRun, names: string[]): OutputDefinition[] {
  const key = names.join("\n");
  let outputs = run.narrowed.get(key);
  if (!outputs) run.narrowed.set(key, (outputs = narrowOutputs(session.plan.outputs, names)));
  return outputs;
}

/** Returns the path of a session that has ended. */
export function endedPath({ stages, ports }: SessionState): StageVisit[] {
  return stages ? closePath(stages.state.path, ports.now().toISOString()) : [];
}
