import { findSavedVariables } from "#src/authoring/tools/tools.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { findNearest } from "#src/platform/http/nearest-name.ts";
import type { UnknownMember } from "#src/platform/http/unknown-members.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { findVariables } from "#src/platform/template/template.ts";
import type { FlowFields } from "./flow-fields.ts";
import { actionsOf, conditionsOf, type FlowStage } from "./stages.ts";

/** Variables that templates may name besides the flow's own: the contact, the session, and what the dialogue adds. */
const SESSION_VARIABLES = [
  ..."customerNumber contactName contactEmail contactPhone contactIdentifier".split(" "),
  ..."memory language flowName channel extracted".split(" "),
];
/** Fields whose change can make a variable unknown. */
const DECISIVE: (keyof FlowFields)[] = [
  "masterPrompt",
  "firstMessage",
  "voicemailConfig",
  "humanHandoff",
  "structuredOutputs",
  "localVariables",
  "toolIds",
  "stages",
];

/**
 * Finds the variables that a flow's templates show and nothing declares: neither localVariables, nor the session, nor a
 * tool that saves to them. Variables with a default, or tested by the template, may be missing. Variables that `before`
 * lacked too are left out, so that a warning is not repeated at every change.
 */
export async function findUnknownVariables(
  tx: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
  before: Partial<FlowFields> = {},
): Promise<UnknownMember[]> {
  const found = await findUndeclared(tx, workspaceId, fields);
  if (found.length === 0) return [];
  const earlier = await findUndeclared(tx, workspaceId, before);
  return found.filter(({ path, member }) => !earlier.some((one) => one.path === path && one.member === member));
}

/** True when a change of these fields can make a variable unknown. */
export function mayLoseVariables(sent: Partial<FlowFields>): boolean {
  return DECISIVE.some((name) => Object.hasOwn(sent, name));
}

/** Throws 422 that names each unknown variable, unless there is none. The caller has to accept them explicitly. */
export function assertNoneUnknown(unknown: UnknownMember[]): void {
  if (unknown.length === 0) return;
  const names = [...new Set(unknown.map(({ member }) => `{{ ${member} }}`))].join(", ");
  throw new AppError(
    "UNKNOWN_VARIABLES",
    `Nothing declares ${names}. Add it to localVariables, or send acceptUnknownVariables: true if rowData brings it.`,
    unknown.map(({ path, message }) => ({
      path: path.slice(1).replaceAll("/", "."),
      code: "UNKNOWN_VARIABLE",
      message,
    })),
  );
}

async function findUndeclared(
  tx: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
): Promise<UnknownMember[]> {
  const texts = templatesOf(fields).map((text) => ({ ...text, names: findVariables(text.template) }));
  if (texts.every(({ names }) => names.length === 0)) return [];
  const saved = await findSavedVariables(tx, workspaceId, fields.toolIds ?? []);
  const own = (fields.localVariables ?? []).map(({ variableName }) => variableName);
  return texts.flatMap(({ path, names, more = [] }) => {
    const known = [...own, ...saved, ...SESSION_VARIABLES, ...more];
    return names.filter((name) => !known.includes(name)).map((name) => toWarning(path, name, known));
  });
}

function templatesOf(fields: Partial<FlowFields>): { path: string; template: string; more?: string[] }[] {
  const { masterPrompt, firstMessage, voicemailConfig, humanHandoff, structuredOutputs } = fields;
  const conditions = (structuredOutputs ?? []).map(({ condition }, i) => ({
    path: `/structuredOutputs/${i}/condition`,
    template: condition ?? "",
    more: ["endReason"],
  }));
  return [
    { path: "/masterPrompt", template: masterPrompt ?? "" },
    { path: "/firstMessage", template: firstMessage ?? "" },
    { path: "/voicemailConfig/message", template: voicemailConfig?.message ?? "" },
    { path: "/humanHandoff/waitingMessage", template: humanHandoff?.waitingMessage ?? "", more: ["opensAt"] },
    { path: "/humanHandoff/closedMessage", template: humanHandoff?.closedMessage ?? "", more: ["opensAt"] },
    ...conditions,
    ...stageTemplates(fields.stages ?? []),
  ];
}

/** Returns the templates of stages, which may also name what their actions set. */
function stageTemplates(stages: FlowStage[]): { path: string; template: string; more: string[] }[] {
  const set = stages.flatMap((stage) => actionsOf(stage).flatMap(({ action }) => action.name ?? []));
  const more = ["fields", "stage", ...set];
  return stages.flatMap((stage, i) => {
    const at = (place: string) => `/stages/${i}/${place.replaceAll(".", "/")}`;
    return [
      { path: at("prompt"), template: stage.prompt ?? "", more },
      ...conditionsOf(stage).map(({ path, when }) => ({
        path: at(`${path}.expression`),
        template: when.expression ?? "",
        more,
      })),
      ...actionsOf(stage).flatMap(({ path, action }) => [
        { path: at(`${path}.text`), template: action.text ?? "", more },
        { path: at(`${path}.value`), template: action.value ?? "", more },
      ]),
    ];
  });
}

function toWarning(path: string, name: string, known: string[]): UnknownMember {
  const nearest = findNearest(name, known);
  const hint = nearest === null ? "" : ` Did you mean {{ ${nearest} }}?`;
  const message = `Nothing declares {{ ${name} }}, so it is empty unless rowData brings it.${hint}`;
  return { path, member: name, nearest, message };
}
