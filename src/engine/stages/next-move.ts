import { compareField } from "./compare-field.ts";
import { findStage, type PlannedCondition, type PlannedStage, scopeOf, type StagePlan } from "./stage-plan.ts";
import { type MoveMark, movePath, type StageState } from "./stage-state.ts";

/** Facts about the current stage that the state does not hold. */
export interface StageFacts {
  /** Fields of the stage that are still to be asked. */
  toAsk: readonly string[];
  /** True when each field that applies has a value. */
  isCollected: boolean;
  /** Renders an expression; false when it is empty, 0 or false. */
  holds(expression: string): boolean;
}

/** Decision on the current stage. */
export type Move =
  | { kind: "STAY" }
  /** `counts`: it is one of the visits that `maxVisits` limits. */
  | { kind: "ENTER"; to: string; edgeId: string | null; counts: boolean; returnsTo: string | null }
  /** A stage was visited too often, and nothing says where to go instead. */
  | { kind: "END" };

const STAY: Move = { kind: "STAY" };

/** Prefix of the choice of a global stage; ids of edges have no colon. */
export const GLOBAL = "global:";

/** Decides what follows the current stage. The same plan, state and facts give the same move. */
export function nextMove(plan: StagePlan, state: StageState, facts: StageFacts): Move {
  const stage = findStage(plan, state.current);
  if (!stage) return { kind: "END" };
  if (stage.type === "END") return stage.returnsTo === null ? STAY : back(stage.returnsTo, null);
  const entered = findGlobal(plan, stage, state, facts);
  if (entered) return enterOnce(plan, state, entered.id, null, entered.global?.returns ? stage.id : null);
  // A stage that goes on by itself: the flow that runs there.
  if (stage.type === "SUBFLOW" && stage.opens !== null && !state.isReturned) {
    return enterOnce(plan, state, stage.opens, null, null);
  }
  for (const edge of stage.edges) {
    const held = judge(edge.when, stage, state, facts, edge.id);
    if (held === "UNDECIDED") return STAY;
    if (held) return enterOnce(plan, state, edge.to, edge.id, null);
  }
  const before = state.back.at(-1);
  return stage.global?.returns && before !== undefined && isDone(stage, state, facts) ? back(before, before) : STAY;
}

function back(to: string, returnsTo: string | null): Move {
  return { kind: "ENTER", to, edgeId: null, counts: false, returnsTo };
}

/** Returns the state after a move. */
export function applyMove(
  plan: StagePlan,
  state: StageState,
  { to, edgeId, counts, returnsTo }: Move & { kind: "ENTER" },
  mark: MoveMark,
): StageState {
  const isReturn = !counts;
  const isFromFlow = isReturn && returnsTo === null;
  const { fields, declined, heard } = state;
  return {
    ...state,
    current: to,
    visits: counts ? { ...state.visits, [to]: (state.visits[to] ?? 0) + 1 } : state.visits,
    atEntry: { fields, declined },
    results: {},
    isEntryDue: counts,
    // The edges of a SUBFLOW decide as soon as its flow has ended.
    isAnswered: false,
    isReturned: isFromFlow,
    isReadBack: false,
    isConfirmed: false,
    isDecided: true,
    chosen: null,
    back: backAfter(state, { edgeId, isReturn, isFromFlow, returnsTo }),
    heardAtEntry: heard,
    path: movePath(plan, state, to, edgeId, mark),
  };
}

interface Return {
  edgeId: string | null;
  isReturn: boolean;
  isFromFlow: boolean;
  returnsTo: string | null;
}

function backAfter({ back: stack }: StageState, { edgeId, isReturn, isFromFlow, returnsTo }: Return): string[] {
  if (isFromFlow) return stack;
  if (isReturn) return stack.slice(0, -1);
  if (returnsTo !== null) return [...stack, returnsTo];
  // Whoever leaves a global stage by an edge does not go back.
  return edgeId === null ? stack : [];
}

/** Returns the state with the global stages whose conditions hold now, so that each is entered when it begins to hold. */
export function noteGlobals(plan: StagePlan, state: StageState, facts: StageFacts): StageState {
  const held = plan.stages.filter((stage) => isHeld(stage, state, facts)).map(({ id }) => id);
  return held.join() === state.heldGlobals.join() ? state : { ...state, heldGlobals: held };
}

/** True for a stage that asks the person nothing more in its present state. */
export function isDone(stage: PlannedStage, state: StageState, { toAsk }: StageFacts): boolean {
  if (stage.type === "CONFIRM") return state.isConfirmed;
  return toAsk.length === 0 && (state.isAnswered || stage.prompt === "");
}

function findGlobal(
  plan: StagePlan,
  current: PlannedStage,
  state: StageState,
  facts: StageFacts,
): PlannedStage | undefined {
  return plan.stages.find((stage) => {
    if (!mayEnter(stage, current.id)) return false;
    if (stage.global?.when.type === "MEANING") return state.isDecided && state.chosen === `${GLOBAL}${stage.id}`;
    return isHeld(stage, state, facts) && !state.heldGlobals.includes(stage.id);
  });
}

/** True when a global stage may be entered from another one: not from itself, nor from outside of its flow. */
export function mayEnter({ id, global }: PlannedStage, from: string): boolean {
  return global !== null && id !== from && from.startsWith(scopeOf(id));
}

/** True when the condition of a global stage holds, whatever the current stage; a meaning never does by itself. */
function isHeld({ global, fields }: PlannedStage, state: StageState, facts: StageFacts): boolean {
  const when = global?.when;
  if (!when || when.type === "MEANING") return false;
  if (when.type === "ALWAYS") return true;
  if (when.type === "COLLECTED") return fields.every((name) => Object.hasOwn(state.fields, name));
  return meets(when, state, facts);
}

/** True when an edge is taken; UNDECIDED when the model has to judge the person's words first. */
function judge(
  when: PlannedCondition,
  stage: PlannedStage,
  state: StageState,
  facts: StageFacts,
  id: string,
): boolean | "UNDECIDED" {
  if (stage.type === "CONFIRM" && !state.isConfirmed) return false;
  if (when.type === "TOOL_RESULT") return meets(when, state, facts);
  if (!isJudged(stage, state, facts)) return false;
  if (when.type === "MEANING") return state.isDecided ? state.chosen === id : "UNDECIDED";
  if (when.type === "ALWAYS") return facts.toAsk.length === 0;
  if (when.type === "COLLECTED") return facts.isCollected;
  return meets(when, state, facts);
}

/** True once the edges of a stage count: the person has answered, or there is nothing to say or to ask. */
function isJudged(stage: PlannedStage, state: StageState, { toAsk }: StageFacts): boolean {
  if (stage.type === "SUBFLOW" && stage.opens !== null) return state.isReturned;
  if (stage.type === "TRANSFER") return state.isReturned;
  if (state.isAnswered || stage.type === "CONFIRM") return true;
  if (toAsk.length > 0) return false;
  return stage.fields.length > 0 || (stage.prompt === "" && !stage.onEntry.some(({ type }) => type === "SAY"));
}

function meets(when: PlannedCondition, { fields, results }: StageState, facts: StageFacts): boolean {
  if (when.type === "TOOL_RESULT") return when.tools.some((tool) => results[tool] === when.outcome);
  if (when.type === "EXPRESSION") return facts.holds(when.expression);
  if (when.type !== "FIELD") return false;
  return compareField(when.operator, Object.hasOwn(fields, when.field), fields[when.field], when.value);
}

/** Enters a stage, or the one that stands in for it after too many visits. */
function enterOnce(
  plan: StagePlan,
  { visits }: StageState,
  wanted: string,
  edgeId: string | null,
  returnsTo: string | null,
): Move {
  let to: string | null = wanted;
  for (let steps = 0; to !== null && steps <= plan.stages.length; steps++) {
    const stage = findStage(plan, to);
    if (!stage) return { kind: "END" };
    if ((visits[to] ?? 0) < stage.maxVisits) return { kind: "ENTER", to, edgeId, counts: true, returnsTo };
    to = stage.onMaxVisits;
  }
  return { kind: "END" };
}
