/** When an edge is taken, or a global stage entered. */
export type PlannedCondition =
  | { type: "ALWAYS" }
  | { type: "COLLECTED" }
  | { type: "FIELD"; field: string; operator: FieldOperator; value: unknown }
  /** Names of the tool; a tool of an MCP server may have several. */
  | { type: "TOOL_RESULT"; tools: string[]; outcome: ToolOutcome }
  | { type: "EXPRESSION"; expression: string }
  | { type: "MEANING"; description: string; examples: string[] };

export const FIELD_OPERATORS = ["EQUALS", "NOT_EQUALS", "ABOVE", "BELOW", "ONE_OF", "IS_SET", "IS_NOT_SET"] as const;
export type FieldOperator = (typeof FIELD_OPERATORS)[number];
export type ToolOutcome = "SUCCEEDED" | "FAILED";

/** Step on entry or exit. The texts are Liquid templates. */
export type PlannedAction =
  | { type: "SAY"; text: string }
  | { type: "CALL_TOOL"; tool: string; input: Record<string, unknown> }
  | { type: "SET"; name: string; value: string };

/** Way from a stage to another one. */
export interface PlannedEdge {
  id: string;
  to: string;
  /** Shown in reports; empty: none. */
  label: string;
  when: PlannedCondition;
}

/** One stage in the form that a session walks. */
export interface PlannedStage {
  /** Id in its flow; behind the id of a SUBFLOW and a point where it belongs to a flow that runs there. */
  id: string;
  name: string;
  type: "TALK" | "CONFIRM" | "SUBFLOW" | "TRANSFER" | "END";
  prompt: string;
  /** Properties of the outputs that it asks for. */
  fields: string[];
  /** Names of the tools that it may call; null: all of the session. */
  tools: string[] | null;
  onEntry: PlannedAction[];
  onExit: PlannedAction[];
  edges: PlannedEdge[];
  global: { when: PlannedCondition; returns: boolean } | null;
  maxVisits: number;
  /** Stage that is entered instead of one visit too many; null: the session ends. */
  onMaxVisits: string | null;
  /** Configured model that speaks here; null: the flow's. */
  modelId: string | null;
  transferTarget: string | null;
  /** SUBFLOW: the first stage of the flow that runs there; null when that flow is gone. */
  opens: string | null;
  /** END of a flow that runs in a SUBFLOW: that stage, whose edges decide. */
  returnsTo: string | null;
}

/** Stages of a session. */
export interface StagePlan {
  /** Id of the stage in which a session begins. */
  start: string;
  stages: PlannedStage[];
}

/** Returns a stage of a plan; undefined when there is none. */
export function findStage({ stages }: StagePlan, id: string): PlannedStage | undefined {
  return stages.find((stage) => stage.id === id);
}

/** Returns the part of a stage's id that names the flows around it, with a point at its end; empty outside of any. */
export function scopeOf(id: string): string {
  return id.slice(0, id.lastIndexOf(".") + 1);
}
