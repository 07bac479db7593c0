import type { OutputDefinition } from "#src/engine/models/models.ts";
import { isWanted, narrowOutputs, outputFields } from "#src/engine/stages/needed-fields.ts";
import type { StageFacts } from "#src/engine/stages/next-move.ts";
import { findStage, type PlannedStage } from "#src/engine/stages/stage-plan.ts";
import { closePath, type StageVisit } from "#src/engine/stages/stage-state.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import { clockOf } from "./local-clock.ts";
import type { StageRun } from "./open-stages.ts";
import type { SessionPlan } from "./plan.ts";
import type { StageText } from "./ports.ts";
import type { SessionState } from "./session-state.ts";

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
    return renderTemplate(template, stageVariables(session, run), globalsOf(plan), clockOf(plan)).trim();
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown;
    session.notedError ??= {
      code: thrown.code,
      message: `stage ${run.state.current}: ${thrown.message}`.slice(0, 500),
    };
    return "";
  }
}

function globalsOf({ memory, channel, flow }: SessionPlan): object {
  return { memory, channel, language: flow.language };
}

/** Tells a template of the current stage to those who watch for variables without a value. */
export function noteStageText(session: SessionState, run: StageRun, use: StageText["use"], template: string): void {
  if (!session.ports.onStageText || template === "") return;
  const variables = stageVariables(session, run);
  session.ports.onStageText({ use, stageId: run.state.current, template, variables, globals: globalsOf(session.plan) });
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

/** Characters of the schemas of fields for which the stage does not ask. */
const OTHERS_CHARACTERS = 8_000;

/**
 * Returns the outputs with the wanted fields of the current stage first and, as far as there is room, those of other
 * stages: people correct what they said before, and answer what they have not been asked. The same list for the same
 * fields.
 */
export function stageOutputs({ plan }: SessionState, run: StageRun, wanted: string[]): OutputDefinition[] {
  const key = wanted.join("\n");
  let outputs = run.narrowed.get(key);
  if (!outputs)
    run.narrowed.set(key, (outputs = narrowOutputs(plan.outputs, [...wanted, ...otherFields(plan, wanted)])));
  return outputs;
}

function otherFields({ outputs }: SessionPlan, wanted: readonly string[]): string[] {
  let room = OTHERS_CHARACTERS;
  return [...outputFields(outputs)].flatMap(([name, { schema }]) => {
    if (wanted.includes(name)) return [];
    room -= JSON.stringify(schema).length;
    return room >= 0 ? [name] : [];
  });
}

/** Returns the path of a session that has ended. */
export function endedPath({ stages, ports }: SessionState): StageVisit[] {
  return stages ? closePath(stages.state.path, ports.now().toISOString()) : [];
}
