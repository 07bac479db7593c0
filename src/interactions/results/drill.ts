import { ROW_OUTCOMES } from "#src/interactions/calls/states.ts";
import { oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { type SUM_COLUMNS } from "./contribution.ts";
import { FIELD_TYPES, type ValueKind } from "./field-values.ts";
import type { ResultFilters } from "./filters.ts";
import { HUMAN_WISH, TOOL_RESULTS } from "./marks.ts";

/** Steps of the funnel, with the figure that counts each. */
const STEP_FIGURES = {
  CALLS: "calls",
  DIALLED: "dialled",
  ANSWERED_BY_PERSON: "persons",
  ANSWERED_BY_MACHINE: "machines",
  TALKED: "talked",
  SUCCEEDED: "goals",
} as const;
const STEPS = [...(Object.keys(STEP_FIGURES) as (keyof typeof STEP_FIGURES)[]), "ASKED_FOR_HUMAN"] as const;
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]*$", description }));

/** Parameters that name one figure of the results, besides the filters. */
export const drillQuery = {
  step: Type.Optional(oneOf(STEPS, "A step of the funnel, or ASKED_FOR_HUMAN. Default: CALLS.")),
  tool: text(120, "A tool that the calls used."),
  toolResult: Type.Optional(oneOf(TOOL_RESULTS, "How the tool did; needs tool. Default: FAILED, at least once.")),
  outcome: Type.Optional(oneOf(ROW_OUTCOMES, "Outcome of the calls.")),
  reason: text(
    120,
    "Code of the error with which calls ended, or of the limit that cut them off, such as LIMIT_DURATION.",
  ),
  field: text(120, "An extracted field; with value, or with valueFrom and valueBelow."),
  fieldType: Type.Optional(oneOf(FIELD_TYPES, "Type of the field, as the results name it. Default: any.")),
  value: text(60, "As the results show it."),
  valueFrom: text(60, "Least number, or first date."),
  valueBelow: text(60, "The number or date that values are below; without it, there is no upper end."),
  weekday: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: "Of a dial, in timeZone; 1 is Monday." })),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: "Of a dial, in timeZone. Needs weekday." })),
};
const DrillQuery = Type.Object(drillQuery);
type DrillQuery = Static<typeof DrillQuery>;

/** Value of a field by which calls are found. */
export interface FieldRange {
  field: string;
  /** Null: any type of a field. */
  kind: ValueKind | null;
  /** Null: by `from` and `below`. */
  value: string | null;
  from: string | null;
  below: string | null;
}

/** A figure of the results whose calls are asked for. */
export type Drill =
  | { by: "FIGURE"; figure: (typeof SUM_COLUMNS)[number]; outcome: string | null; reason: string | null }
  | ({ by: "FIELD" } & FieldRange)
  | { by: "HOUR"; weekday: number; hour: number; timeZone: string };

/** Checks which figure of the results is asked for; 422 for parameters that do not go together. */
export function readDrill(query: DrillQuery, { timeZone, goal }: ResultFilters): Drill {
  const { step, outcome = null, reason = null, field, weekday, hour } = query;
  const isFigure = step !== undefined || outcome !== null || reason !== null;
  const isHour = weekday !== undefined || hour !== undefined;
  if (field !== undefined && (isFigure || isHour)) throw exclusive("field", "step, outcome, reason, weekday and hour");
  if (query.toolResult !== undefined && query.tool === undefined) {
    throw fieldError("tool", "REQUIRED", "is needed with toolResult.");
  }
  if (query.tool !== undefined) {
    if (isFigure || isHour || field !== undefined) throw exclusive("tool", "step, outcome, reason, field and hour");
    return markOf("TOOL", { field: query.tool, value: query.toolResult ?? "FAILED" });
  }
  if (isHour && isFigure) throw exclusive("hour", "step, outcome and reason");
  if (isHour) {
    if (weekday === undefined) throw fieldError("weekday", "REQUIRED", "is needed with hour.");
    if (hour === undefined) throw fieldError("hour", "REQUIRED", "is needed with weekday.");
    return { by: "HOUR", weekday, hour, timeZone };
  }
  if (field !== undefined) return { by: "FIELD", ...readRange(field, query) };
  if (step === "SUCCEEDED" && goal !== null) {
    if (outcome !== null || reason !== null) throw exclusive("goalField", "outcome and reason");
    return { by: "FIELD", field: goal.field, kind: null, value: goal.value, from: null, below: null };
  }
  if (step === "ASKED_FOR_HUMAN") {
    if (outcome !== null || reason !== null) throw exclusive("step=ASKED_FOR_HUMAN", "outcome and reason");
    return markOf("WISH", HUMAN_WISH);
  }
  return { by: "FIGURE", figure: STEP_FIGURES[step ?? "CALLS"], outcome, reason };
}

function markOf(kind: "TOOL" | "WISH", { field, value }: { field: string; value: string }): Drill {
  return { by: "FIELD", field, kind, value, from: null, below: null };
}

function readRange(field: string, { fieldType, value, valueFrom, valueBelow }: DrillQuery): FieldRange {
  if (value !== undefined && (valueFrom !== undefined || valueBelow !== undefined)) {
    throw exclusive("value", "valueFrom and valueBelow");
  }
  if (value !== undefined) return { field, kind: fieldType ?? null, value, from: null, below: null };
  if (valueFrom === undefined) throw fieldError("value", "REQUIRED", "is needed with field, or valueFrom.");
  if (fieldType !== "NUMBER" && fieldType !== "DATE") {
    throw fieldError("fieldType", "REQUIRED", "is NUMBER or DATE with valueFrom.");
  }
  if (fieldType === "NUMBER") {
    assertNumber("valueFrom", valueFrom);
    if (valueBelow !== undefined) assertNumber("valueBelow", valueBelow);
  }
  return { field, kind: fieldType, value: null, from: valueFrom, below: valueBelow ?? null };
}

function assertNumber(name: string, value: string): void {
  if (!/^-?\d{1,300}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i.test(value)) throw fieldError(name, "FORMAT", "is not a number.");
}

function exclusive(name: string, others: string) {
  return fieldError(name, "NOT_ALLOWED", `cannot be sent with ${others}.`);
}
