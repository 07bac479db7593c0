import type { StagePlan, ToolOutcome } from "./stage-plan.ts";

/** The most visits that a session's path holds; later ones are left out. */
export const MAX_PATH = 500;

/** One visit of a stage, as the API shows it. */
export interface StageVisit {
  stageId: string;
  stageName: string;
  /** ISO 8601. */
  enteredAt: string;
  /** Null while the stage lasts. */
  leftAt: string | null;
  /** Edge by which it was left; null: by another way, or not at all. */
  edgeId: string | null;
  /** Index of the transcript's line that followed. */
  turnIndex: number;
  /** The stage is of a flow to which the session was transferred; absent in the session's own. */
  isTransferred?: true;
}

/** State of a walk through stages. Plain data: a chat stores it between two turns. */
export interface StageState {
  current: string;
  /** Values of fields, by name. */
  fields: Record<string, unknown>;
  /** Fields that the person cannot or does not want to give. */
  declined: string[];
  /** Fields that the person confirmed in a CONFIRM. */
  confirmed: string[];
  /** Values and declined fields as they were when the stage was entered. */
  atEntry: { fields: Record<string, unknown>; declined: string[] };
  visits: Record<string, number>;
  /** Latest outcome of each tool in this stage, by its name. */
  results: Record<string, ToolOutcome>;
  /** The actions on entry are still to be taken. */
  isEntryDue: boolean;
  /** The person has spoken in this stage. */
  isAnswered: boolean;
  /** The flow of a SUBFLOW has ended, or a TRANSFER has failed or come back. */
  isReturned: boolean;
  /** CONFIRM: the values were read back since they changed last. */
  isReadBack: boolean;
  isConfirmed: boolean;
  /** A model has judged the person's latest words. */
  isDecided: boolean;
  /** Choice of the model about these words: the id of an edge, or `global:` and the id of a stage. */
  chosen: string | null;
  /** Stages to which the global ones return. */
  back: string[];
  /** Global stages whose condition held when it was judged last. */
  heldGlobals: string[];
  /** Messages of the person that were judged, and how many of them before this stage. */
  heard: number;
  heardAtEntry: number;
  path: StageVisit[];
  /** The stages are of a flow to which the session was transferred. */
  isTransferred?: true;
}

/** Time and place of a move, for the path. */
export interface MoveMark {
  at: string;
  turnIndex: number;
}

/** Creates the state of a session that enters its first stage, or that of a flow to which it was transferred. */
export function beginStages(plan: StagePlan, mark: MoveMark, isTransferred = false): StageState {
  const empty: StageState = {
    current: plan.start,
    fields: {},
    declined: [],
    confirmed: [],
    atEntry: { fields: {}, declined: [] },
    visits: { [plan.start]: 1 },
    results: {},
    isEntryDue: true,
    isAnswered: false,
    isReturned: false,
    isReadBack: false,
    isConfirmed: false,
    isDecided: true,
    chosen: null,
    back: [],
    heldGlobals: [],
    heard: 0,
    heardAtEntry: 0,
    path: [],
    ...(isTransferred ? { isTransferred } : {}),
  };
  return { ...empty, path: movePath(plan, empty, plan.start, null, mark) };
}

/** Returns the path of a state with its last visit closed and one of another stage opened. */
export function movePath(
  plan: StagePlan,
  { path, isTransferred }: Pick<StageState, "path" | "isTransferred">,
  to: string,
  edgeId: string | null,
  mark: MoveMark,
): StageVisit[] {
  const closed = closePath(path, mark.at, edgeId);
  if (closed.length >= MAX_PATH) return closed;
  return [...closed, { ...toVisit(plan, to, mark), ...(isTransferred ? { isTransferred } : {}) }];
}

/** Closes the last visit of a path, unless it is closed. */
export function closePath(path: StageVisit[], at: string, edgeId: string | null = null): StageVisit[] {
  const last = path.at(-1);
  if (!last || last.leftAt !== null) return path;
  return [...path.slice(0, -1), { ...last, leftAt: at, edgeId }];
}

function toVisit({ stages }: StagePlan, id: string, { at, turnIndex }: MoveMark): StageVisit {
  const name = stages.find((stage) => stage.id === id)?.name ?? id;
  return { stageId: id, stageName: name, enteredAt: at, leftAt: null, edgeId: null, turnIndex };
}

/** Notes words of the person: `heard` messages so far. The model has to judge them. */
export function noteWords(state: StageState, heard: number): StageState {
  if (heard <= state.heard) return state;
  return { ...state, heard, isAnswered: true, isDecided: false, chosen: null };
}

/** Notes the model's choice about the person's latest words; null: none of those offered. */
export function noteChoice(state: StageState, chosen: string | null): StageState {
  return { ...state, isDecided: true, chosen };
}

/** Notes the outcome of a tool. */
export function noteOutcome(state: StageState, tool: string, outcome: ToolOutcome): StageState {
  return { ...state, results: { ...state.results, [tool]: outcome } };
}

/**
 * Stores values of fields; undefined: the person does not give it. A changed value has to be confirmed anew, and one of
 * the current stage's `wanted` fields has the stage read back again.
 */
export function storeFields(
  state: StageState,
  values: ReadonlyMap<string, unknown>,
  wanted: readonly string[],
): StageState {
  if (values.size === 0) return state;
  const kept = new Map(Object.entries(state.fields));
  const declined = new Set(state.declined);
  for (const [name, value] of values) {
    if (value === undefined) declined.add(name);
    else {
      kept.set(name, value);
      declined.delete(name);
    }
  }
  return {
    ...state,
    fields: Object.fromEntries(kept),
    declined: [...declined],
    confirmed: state.confirmed.filter((name) => !values.has(name)),
    ...(wanted.some((name) => values.has(name)) ? { isReadBack: false, isConfirmed: false } : {}),
  };
}

/** Notes the person's yes to values that were read back; without that it does not count. */
export function noteConfirmed(state: StageState, fields: string[]): StageState {
  if (!state.isReadBack || !state.isAnswered) return state;
  return { ...state, isConfirmed: true, confirmed: [...new Set([...state.confirmed, ...fields])] };
}

/** Notes words of the agent in this stage. */
export function noteSpoken(state: StageState): StageState {
  return { ...state, isReadBack: true };
}
