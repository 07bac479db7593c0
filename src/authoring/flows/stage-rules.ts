import { assertModels } from "#src/authoring/language-models/language-models.ts";
import { getOutputDefinitions } from "#src/authoring/structured-outputs/structured-outputs.ts";
import { propertiesOf } from "#src/engine/stages/field-schemas.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError, type Fault } from "#src/platform/kernel/errors.ts";
import { findTemplateFault } from "#src/platform/template/template.ts";
import type { FlowFields } from "./flow-fields.ts";
import { actionsOf, conditionsOf, type FlowStage, type StageAction, type StageCondition } from "./stages.ts";

const MAX_FAULTS = 50;
const MAX_DEPTH = 10;

/** Names that the stages of a flow may use. */
interface Known {
  stages: Set<string>;
  fields: Set<string>;
  tools: Set<string>;
  targets: Set<string>;
}

/**
 * Throws 422 with the place of every fault of a flow's stages: names that nothing has, members that a type needs or
 * does not take, templates that cannot be parsed. 404 when a model that `before` did not name does not exist.
 */
export async function assertStages(
  tx: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
  { path, before }: { path: string; before: Partial<FlowFields> },
): Promise<void> {
  const stages = fields.stages ?? [];
  if (stages.length === 0) return;
  const known: Known = {
    stages: new Set(stages.map(({ id }) => id)),
    fields: await findFieldNames(tx, workspaceId, fields),
    tools: new Set((fields.toolIds ?? []).map((id) => id.toLowerCase())),
    targets: new Set((fields.transferTargets ?? []).map(({ name }) => name)),
  };
  const faults = [...sharedFaults(stages), ...stages.flatMap((stage, i) => stageFaults(stage, known, `stages.${i}`))];
  throwFaults(faults, path);
  const earlier = new Set((before.stages ?? []).map(({ languageModelId }) => languageModelId?.toLowerCase()));
  const models = stages.flatMap(({ languageModelId }) => languageModelId ?? []);
  await assertModels(
    tx,
    workspaceId,
    models.filter((id) => !earlier.has(id.toLowerCase())),
  );
}

function throwFaults(found: Fault[], path: string): void {
  if (found.length === 0) return;
  const faults = found
    .slice(0, MAX_FAULTS)
    .map((fault) => ({ ...fault, path: path === "" ? fault.path : `${path}.${fault.path}` }));
  throw new AppError("VALIDATION_FAILED", `${faults[0]?.path}: ${faults[0]?.message}`, faults);
}

async function findFieldNames(tx: Executor, workspaceId: string, fields: Partial<FlowFields>): Promise<Set<string>> {
  const ids = fields.structuredOutputIds ?? [];
  const saved = ids.length > 0 ? await getOutputDefinitions(tx, workspaceId, ids) : [];
  const schemas = [...saved, ...(fields.structuredOutputs ?? [])].map(({ schema }) => schema);
  return new Set(schemas.flatMap((schema) => [...propertiesOf(schema).keys()]));
}

function sharedFaults(stages: FlowStage[]): Fault[] {
  const seen = new Set<string>();
  const faults = stages.flatMap(({ id }, i) => {
    const isSecond = seen.has(id);
    seen.add(id);
    return isSecond ? [{ path: `stages.${i}.id`, code: "DUPLICATE", message: "is the id of another stage." }] : [];
  });
  const starts = stages.flatMap(({ isStart }, i) => (isStart === true ? [i] : []));
  return [
    ...faults,
    ...starts.slice(1).map((i) => ({
      path: `stages.${i}.isStart`,
      code: "TWO_STARTS",
      message: "marks a second start; a session begins in one stage.",
    })),
  ];
}

function stageFaults(stage: FlowStage, known: Known, path: string): Fault[] {
  const at = (place: string) => `${path}.${place}`;
  return [
    ...typeFaults(stage, known, at),
    ...edgeFaults(stage, known, at),
    ...unknownOf(stage.fields, known.fields, (i) => at(`fields.${i}`), "is no property of the flow's outputs."),
    ...unknownOf(
      stage.toolIds?.map((id) => id.toLowerCase()),
      known.tools,
      (i) => at(`toolIds.${i}`),
      "is not among the flow's toolIds.",
    ),
    ...templateFault(stage.prompt, at("prompt")),
    ...conditionsOf(stage).flatMap(({ path: place, when }) => conditionFaults(when, known, at(place))),
    ...actionsOf(stage).flatMap(({ path: place, action }) => actionFaults(action, known, at(place))),
  ];
}

type At = (place: string) => string;

function typeFaults(stage: FlowStage, known: Known, at: At): Fault[] {
  const { type, fields, flowId, transferTarget, onMaxVisits } = stage;
  const faults: Fault[] = [];
  if (type === "CONFIRM" && (fields ?? []).length === 0) faults.push(required(at("fields")));
  if ((type === "SUBFLOW") !== Boolean(flowId))
    faults.push(flowId ? misplaced(at("flowId"), "SUBFLOW") : required(at("flowId")));
  if ((type === "TRANSFER") !== Boolean(transferTarget)) {
    faults.push(transferTarget ? misplaced(at("transferTarget"), "TRANSFER") : required(at("transferTarget")));
  } else if (transferTarget && !known.targets.has(transferTarget)) {
    faults.push(unknown(at("transferTarget"), "names none of the flow's transferTargets."));
  }
  if (type !== "TALK" && type !== "CONFIRM" && (fields ?? []).length > 0)
    faults.push(misplaced(at("fields"), "TALK and CONFIRM"));
  if (onMaxVisits && !known.stages.has(onMaxVisits))
    faults.push(unknown(at("onMaxVisits"), "is the id of no stage of the flow."));
  return faults;
}

function edgeFaults({ edges }: FlowStage, known: Known, at: At): Fault[] {
  const seen = new Set<string>();
  return (edges ?? []).flatMap(({ id, to }, i) => {
    const faults: Fault[] = [];
    if (seen.has(id)) faults.push({ path: at(`edges.${i}.id`), code: "DUPLICATE", message: "is there twice." });
    seen.add(id);
    if (!known.stages.has(to)) faults.push(unknown(at(`edges.${i}.to`), "is the id of no stage of the flow."));
    return faults;
  });
}

function conditionFaults(when: StageCondition, known: Known, path: string): Fault[] {
  switch (when.type) {
    case "FIELD":
      return fieldFaults(when, known, path);
    case "TOOL_RESULT": {
      const outcome = when.outcome ? [] : [required(`${path}.outcome`)];
      return [...toolFaults(when.toolId, known, `${path}.toolId`), ...outcome];
    }
    case "EXPRESSION":
      return when.expression ? templateFault(when.expression, `${path}.expression`) : [required(`${path}.expression`)];
    case "MEANING":
      return when.description ? [] : [required(`${path}.description`)];
    default:
      return [];
  }
}

function fieldFaults({ field, operator, value }: StageCondition, known: Known, path: string): Fault[] {
  const faults: Fault[] = [];
  if (!field) faults.push(required(`${path}.field`));
  else if (!known.fields.has(field)) faults.push(unknown(`${path}.field`, "is no property of the flow's outputs."));
  if (!operator) faults.push(required(`${path}.operator`));
  else if (operator === "ONE_OF" && !Array.isArray(value)) {
    faults.push({ path: `${path}.value`, code: "TYPE", message: "must be a list." });
  } else if ((operator === "ABOVE" || operator === "BELOW") && !["number", "string"].includes(typeof value)) {
    faults.push({ path: `${path}.value`, code: "TYPE", message: "must be a number, or a text such as a date." });
  } else if (operator !== "IS_SET" && operator !== "IS_NOT_SET" && value === undefined) {
    faults.push(required(`${path}.value`));
  }
  return faults;
}

function actionFaults(action: StageAction, known: Known, path: string): Fault[] {
  if (action.type === "SAY")
    return action.text ? templateFault(action.text, `${path}.text`) : [required(`${path}.text`)];
  if (action.type === "CALL_TOOL") {
    return [
      ...toolFaults(action.toolId, known, `${path}.toolId`),
      ...argumentFaults(action.arguments ?? {}, `${path}.arguments`, 0),
    ];
  }
  return [
    ...(action.name ? [] : [required(`${path}.name`)]),
    ...(typeof action.value === "string" ? templateFault(action.value, `${path}.value`) : [required(`${path}.value`)]),
  ];
}

function argumentFaults(value: unknown, path: string, depth: number): Fault[] {
  if (typeof value === "string") return templateFault(value, path);
  if (value === null || typeof value !== "object") return [];
  if (depth > MAX_DEPTH) return [{ path, code: "TOO_DEEP", message: `is nested more than ${MAX_DEPTH} times.` }];
  return Object.entries(value).flatMap(([name, member]) => argumentFaults(member, `${path}.${name}`, depth + 1));
}

function toolFaults(toolId: string | null | undefined, { tools }: Known, path: string): Fault[] {
  if (!toolId) return [required(path)];
  return tools.has(toolId.toLowerCase()) ? [] : [unknown(path, "is not among the flow's toolIds.")];
}

function templateFault(template: string | null | undefined, path: string): Fault[] {
  const fault = template ? findTemplateFault(template) : null;
  return fault === null ? [] : [{ path, code: "TEMPLATE", message: `cannot be parsed: ${fault}` }];
}

function unknownOf(
  names: string[] | null | undefined,
  known: Set<string>,
  at: (index: number) => string,
  message: string,
): Fault[] {
  return (names ?? []).flatMap((name, i) => (known.has(name) ? [] : [unknown(at(i), message)]));
}

function unknown(path: string, message: string): Fault {
  return { path, code: "UNKNOWN", message };
}

function required(path: string): Fault {
  return { path, code: "REQUIRED", message: "is required." };
}

function misplaced(path: string, types: string): Fault {
  return { path, code: "MISPLACED", message: `belongs to stages of the type ${types} alone.` };
}
