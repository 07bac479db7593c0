import type { StageAction, StageCondition } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { DEFAULT_VISITS, nameOfId, nameOfStage, type Stage, STAGE_TYPES, type StageEdge, startOf } from "./stage.ts";

/** Returns the name of a tool, flow or model by its id. */
export type NameOf = (id: string) => string;

/** The types of a condition in words. */
export const CONDITION_TYPES: Record<StageCondition["type"], string> = {
  ALWAYS: t`Nothing is left to ask`,
  COLLECTED: t`All its fields are given`,
  FIELD: t`A field has a value`,
  TOOL_RESULT: t`A tool succeeded or failed`,
  MEANING: t`The person means something`,
  EXPRESSION: t`A template says so`,
};

/** Comparison of a field with a value. */
export type FieldOperator = NonNullable<StageCondition["operator"]>;

/** The comparisons of a field in words. */
export const OPERATORS: Record<FieldOperator, string> = {
  EQUALS: t`is`,
  NOT_EQUALS: t`is not`,
  ABOVE: t`is above`,
  BELOW: t`is below`,
  ONE_OF: t`is one of`,
  IS_SET: t`is given`,
  IS_NOT_SET: t`is not given`,
};

const LONGEST = 80;

/** Returns true for comparisons without a value. */
export function isUnary(operator: FieldOperator): boolean {
  return operator === "IS_SET" || operator === "IS_NOT_SET";
}

/** Returns a condition in words, such as "partySize is above 4"; texts in it are cut to `longest` characters. */
export function describeCondition(when: StageCondition, nameOf: NameOf = shorten, longest = LONGEST): string {
  const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
  switch (when.type) {
    case "ALWAYS":
      return t`nothing is left to ask`;
    case "COLLECTED":
      return t`all its fields are given`;
    case "FIELD": {
      const operator = when.operator ?? "EQUALS";
      return `${when.field || "?"} ${OPERATORS[operator]}${isUnary(operator) ? "" : ` ${cut(toWords(when.value))}`}`;
    }
    case "TOOL_RESULT":
      return `${when.toolId ? nameOf(when.toolId) : "?"} ${when.outcome === "FAILED" ? t`failed` : t`succeeded`}`;
    case "EXPRESSION":
      return cut(when.expression?.trim() ?? "") || "?";
    case "MEANING":
      return t`the person ${cut(when.description?.trim() ?? "") || "?"}`;
  }
}

/** Returns the label of an edge, or its condition in words where it has none. */
export function describeEdge({ label, when }: Pick<StageEdge, "label" | "when">, nameOf?: NameOf): string {
  return label !== null && label.trim() !== "" ? label : describeCondition(when, nameOf);
}

/** Returns stages as lines of text, one fact a line, so that two definitions can be compared by line. */
export function describeStages(stages: Stage[], nameOf: NameOf = shorten): string {
  const start = startOf(stages);
  return stages.map((stage) => describeStage(stage, stages, stage === start, nameOf).join("\n")).join("\n");
}

function describeStage(stage: Stage, stages: Stage[], isStart: boolean, nameOf: NameOf): string[] {
  const { id, name, type, global, prompt, fields, toolIds, edges, maxVisits, onMaxVisits } = stage;
  const facts: [string, string | false | null][] = [
    [t`from any stage when`, global && describeCondition(global.when, nameOf, Infinity) + exampleWords(global.when)],
    [t`goes back afterwards`, global?.returns === true && t`yes`],
    [t`prompt`, prompt],
    [type === "CONFIRM" ? t`reads back` : t`asks for`, fields.join(", ")],
    [t`tools`, toolIds && (toolIds.map(nameOf).join(", ") || t`none`)],
    [t`flow`, stage.flowId && nameOf(stage.flowId)],
    [t`transfers to`, stage.transferTarget],
    [t`model`, stage.languageModelId && nameOf(stage.languageModelId)],
    ...stage.onEntry.map((action): [string, string] => [t`on entry`, describeAction(action, nameOf)]),
    ...stage.onExit.map((action): [string, string] => [t`on exit`, describeAction(action, nameOf)]),
    [t`visits at most`, maxVisits === DEFAULT_VISITS && onMaxVisits === null ? null : String(maxVisits)],
    [t`then`, onMaxVisits && uniqueName(stages, onMaxVisits)],
  ];
  return [
    `${name || id} (${id}): ${STAGE_TYPES[type].label}${isStart ? t`, start` : ""}`,
    ...facts.flatMap(([word, value]) => (value ? [`  ${word}: ${value}`] : [])),
    ...edges.map((edge) => `  → ${uniqueName(stages, edge.to)}${edgeWords(edge, nameOf)}`),
  ];
}

/** Returns the name of a stage, with its id where another one has that name too. */
function uniqueName(stages: Stage[], id: string): string {
  const name = nameOfId(stages, id);
  return stages.filter((stage) => nameOfStage(stage) === name).length > 1 ? `${name} (${id})` : name;
}

function edgeWords({ label, when }: StageEdge, nameOf: NameOf): string {
  return t`${label ? ` "${label}"` : ""} when ${describeCondition(when, nameOf, Infinity)}${exampleWords(when)}`;
}

function exampleWords({ type, examples }: StageCondition): string {
  return type === "MEANING" && examples?.length ? ` (${examples.join("; ")})` : "";
}

function describeAction(action: StageAction, nameOf: NameOf): string {
  switch (action.type) {
    case "SAY":
      return t`says ${action.text ?? ""}`;
    case "CALL_TOOL":
      return t`calls ${action.toolId ? nameOf(action.toolId) : "?"} with ${JSON.stringify(action.arguments ?? {})}`;
    case "SET":
      return t`sets ${action.name ?? "?"} to ${action.value ?? ""}`;
  }
}

function shorten(id: string): string {
  return id.length > 12 ? `…${id.slice(-6)}` : id;
}

function toWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(toWords).join(", ") || "?";
  if (value === undefined || value === null || value === "") return "?";
  if (typeof value === "boolean") return value ? t`yes` : t`no`;
  return typeof value === "string" ? value : JSON.stringify(value);
}
