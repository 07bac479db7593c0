import type { StageAction, StageCondition } from "@parley/sdk";
import { DEFAULT_VISITS, nameOfId, type Stage, STAGE_TYPES, type StageEdge, startOf } from "./stage.ts";

/** Returns the name of a tool, flow or model by its id. */
export type NameOf = (id: string) => string;

/** The types of a condition in words. */
export const CONDITION_TYPES: Record<StageCondition["type"], string> = {
  ALWAYS: "Nothing is left to ask",
  COLLECTED: "All its fields are given",
  FIELD: "A field has a value",
  TOOL_RESULT: "A tool succeeded or failed",
  MEANING: "The person means something",
  EXPRESSION: "A template says so",
};

/** Comparison of a field with a value. */
export type FieldOperator = NonNullable<StageCondition["operator"]>;

/** The comparisons of a field in words. */
export const OPERATORS: Record<FieldOperator, string> = {
  EQUALS: "is",
  NOT_EQUALS: "is not",
  ABOVE: "is above",
  BELOW: "is below",
  ONE_OF: "is one of",
  IS_SET: "is given",
  IS_NOT_SET: "is not given",
};

const LONGEST = 80;

/** Returns true for comparisons without a value. */
export function isUnary(operator: FieldOperator): boolean {
  return operator === "IS_SET" || operator === "IS_NOT_SET";
}

/** Returns a condition in words, such as "partySize is above 4". */
export function describeCondition(when: StageCondition, nameOf: NameOf = shorten): string {
  switch (when.type) {
    case "ALWAYS":
      return "nothing is left to ask";
    case "COLLECTED":
      return "all its fields are given";
    case "FIELD": {
      const operator = when.operator ?? "EQUALS";
      return `${when.field || "?"} ${OPERATORS[operator]}${isUnary(operator) ? "" : ` ${toWords(when.value)}`}`;
    }
    case "TOOL_RESULT":
      return `${when.toolId ? nameOf(when.toolId) : "?"} ${when.outcome === "FAILED" ? "failed" : "succeeded"}`;
    case "EXPRESSION":
      return cut(when.expression?.trim() ?? "") || "?";
    case "MEANING":
      return `the person ${cut(when.description?.trim() ?? "") || "?"}`;
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
    ["from any stage when", global && describeCondition(global.when, nameOf)],
    ["goes back afterwards", global?.returns === true && "yes"],
    ["prompt", prompt],
    [type === "CONFIRM" ? "reads back" : "asks for", fields.join(", ")],
    ["tools", toolIds && (toolIds.map(nameOf).join(", ") || "none")],
    ["flow", stage.flowId && nameOf(stage.flowId)],
    ["transfers to", stage.transferTarget],
    ["model", stage.languageModelId && nameOf(stage.languageModelId)],
    ...stage.onEntry.map((action): [string, string] => ["on entry", describeAction(action, nameOf)]),
    ...stage.onExit.map((action): [string, string] => ["on exit", describeAction(action, nameOf)]),
    ["visits at most", maxVisits === DEFAULT_VISITS && onMaxVisits === null ? null : String(maxVisits)],
    ["then", onMaxVisits && nameOfId(stages, onMaxVisits)],
  ];
  return [
    `${name || id} (${id}): ${STAGE_TYPES[type].label}${isStart ? ", start" : ""}`,
    ...facts.flatMap(([word, value]) => (value ? [`  ${word}: ${value}`] : [])),
    ...edges.map((edge) => `  → ${nameOfId(stages, edge.to)}${edgeWords(edge, nameOf)}`),
  ];
}

function edgeWords({ label, when }: StageEdge, nameOf: NameOf): string {
  const meant = when.type === "MEANING" && when.examples?.length ? ` (${when.examples.join("; ")})` : "";
  return `${label ? ` "${label}"` : ""} when ${describeCondition(when, nameOf)}${meant}`;
}

function describeAction(action: StageAction, nameOf: NameOf): string {
  switch (action.type) {
    case "SAY":
      return `says ${action.text ?? ""}`;
    case "CALL_TOOL":
      return `calls ${action.toolId ? nameOf(action.toolId) : "?"} with ${JSON.stringify(action.arguments ?? {})}`;
    case "SET":
      return `sets ${action.name ?? "?"} to ${action.value ?? ""}`;
  }
}

function shorten(id: string): string {
  return id.length > 12 ? `…${id.slice(-6)}` : id;
}

function toWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(toWords).join(", ") || "?";
  if (value === undefined || value === null || value === "") return "?";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? cut(value) : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
