import type { ToolExecutionStep } from "#src/authoring/tools/tool-shapes.ts";
import { fillJson, fillText } from "./fill-template.ts";
import type { Outcome } from "./outcome.ts";
import { ToolFailure } from "./tool-failure.ts";
import { type ToolScope, toVariables } from "./tool-scope.ts";
import { isRecord } from "./values.ts";

/** Functions that carry out the steps of a tool's execution plan. */
export interface StepWork {
  /** The tool's own request. */
  request(scope: ToolScope, stepId: string): Promise<unknown>;
  /** Runs code in the interpreter, over values by name. */
  code(code: string, values: Record<string, unknown>): Promise<unknown>;
  /** Calls another tool of the workspace. */
  tool(
    toolId: string,
    input: Record<string, unknown>,
    session: Record<string, unknown>,
    stepId: string,
  ): Promise<Outcome>;
}

/**
 * Runs the steps of a tool in turn. The value is that of the last step that ran. A failed step ends the plan or, when
 * the plan goes on (continueOnError, haltOnStepError), leaves `{failed, code, message}` as its result.
 */
export async function runSteps(
  scope: ToolScope,
  steps: readonly ToolExecutionStep[],
  work: StepWork,
): Promise<Outcome> {
  const variables: Record<string, unknown> = {};
  const results: Record<string, unknown> = { ...scope.results };
  let value: unknown = null;
  for (const [i, step] of steps.entries()) {
    const stepId = step.id || `step${i + 1}`;
    const now = { ...scope, session: { ...scope.session, ...variables }, results };
    const outcome = await runStep(now, step, stepId, work);
    if (outcome === "SKIPPED") results[stepId] = null;
    else if (outcome.kind === "TRANSFER") return outcome;
    else if (outcome.kind === "VALUE") {
      Object.assign(variables, outcome.variables);
      results[stepId] = value = outcome.value ?? null;
    } else if (goesOn(scope, step)) {
      results[stepId] = value = { failed: true, code: outcome.code, message: outcome.message };
    } else {
      return { ...outcome, message: `Step ${stepId}: ${outcome.message}` };
    }
  }
  // The plan's caller may use the results in what it does next.
  Object.assign(scope.results, results);
  return { kind: "VALUE", value, variables };
}

function goesOn({ tool }: ToolScope, { continueOnError }: ToolExecutionStep): boolean {
  return continueOnError ?? tool.definition.haltOnStepError === false;
}

async function runStep(
  scope: ToolScope,
  step: ToolExecutionStep,
  stepId: string,
  work: StepWork,
): Promise<Outcome | "SKIPPED"> {
  try {
    const variables = toVariables(scope);
    if (step.condition && /^(0|false)?$/.test(fillText(step.condition, variables).trim())) return "SKIPPED";
    const filled = step.input ? fillJson(step.input, variables) : null;
    const input = isRecord(filled) ? filled : scope.parameters;
    if (step.type === "TOOL") return await work.tool(step.toolId ?? "", input, scope.session, stepId);
    const isOwn = step.type === "API";
    const value = isOwn
      ? await work.request({ ...scope, parameters: { ...scope.parameters, ...input } }, stepId)
      : await work.code(step.code ?? "", toCodeValues(scope, input));
    return { kind: "VALUE", value, variables: {} };
  } catch (error) {
    if (error instanceof ToolFailure) return { kind: "FAILED", code: error.code, message: error.message };
    throw error;
  }
}

function toCodeValues({ parameters, results, session }: ToolScope, input: Record<string, unknown>) {
  return { input, parameters, results, variables: session };
}
