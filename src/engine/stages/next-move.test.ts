import { expect, test } from "vitest";
import { edge, stageOf } from "#kit/trial-stages.ts";
import { applyMove, nextMove, noteGlobals, type StageFacts } from "./next-move.ts";
import type { PlannedCondition, PlannedStage, StagePlan } from "./stage-plan.ts";
import { beginStages, noteChoice, noteOutcome, noteWords, type StageState, storeFields } from "./stage-state.ts";

const MARK = { at: "2026-11-24T00:00:00.000Z", turnIndex: 0 };

/** Returns a generator of numbers from 0 to `below` that is the same for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function factsOf(stage: PlannedStage | undefined, { fields, declined }: StageState): StageFacts {
  const missing = (stage?.fields ?? []).filter((name) => !Object.hasOwn(fields, name));
  return {
    toAsk: missing.filter((name) => !declined.includes(name)),
    isCollected: missing.length === 0,
    holds: (expression) => expression === "yes",
  };
}

/** Walks until the stage stays; returns the state, or null when the session ends. */
function settle(plan: StagePlan, begun: StageState, count: () => void = () => undefined): StageState | null {
  let state: StageState = begun;
  for (;;) {
    const facts = factsOf(
      plan.stages.find(({ id }) => id === state.current),
      state,
    );
    const move = nextMove(plan, state, facts);
    state = noteGlobals(plan, state, facts);
    if (move.kind === "STAY") return state;
    if (move.kind === "END") return null;
    count();
    state = applyMove(plan, state, move, MARK);
  }
}

function conditionFrom(draw: (below: number) => number): PlannedCondition {
  const conditions: PlannedCondition[] = [
    { type: "ALWAYS" },
    { type: "COLLECTED" },
    { type: "FIELD", field: "a", operator: "EQUALS", value: 1 },
    { type: "FIELD", field: "b", operator: "IS_SET", value: null },
    { type: "TOOL_RESULT", tools: ["look"], outcome: "FAILED" },
    { type: "EXPRESSION", expression: draw(2) === 0 ? "yes" : "no" },
    { type: "MEANING", description: "x", examples: [] },
  ];
  return conditions[draw(conditions.length)] as PlannedCondition;
}

/** Draws a plan of any shape, circles and stages without a way out among them. */
function planFrom(draw: (below: number) => number): StagePlan {
  const ids = Array.from({ length: 2 + draw(8) }, (_, i) => `s${i}`);
  const stages = ids.map((id) => {
    const edges = Array.from({ length: draw(4) }, (_, i) =>
      edge(`e${i}`, ids[draw(ids.length)] as string, conditionFrom(draw)),
    );
    return stageOf(id, {
      type: (["TALK", "TALK", "TALK", "CONFIRM", "TRANSFER", "END"] as const)[draw(6)] ?? "TALK",
      fields: draw(2) === 0 ? [] : [["a", "b"][draw(2)] as string],
      prompt: draw(2) === 0 ? "" : "Speak.",
      edges,
      maxVisits: 1 + draw(4),
      onMaxVisits: draw(3) === 0 ? (ids[draw(ids.length)] as string) : null,
      global: draw(5) === 0 ? { when: conditionFrom(draw), returns: draw(2) === 0 } : null,
    });
  });
  return { start: "s0", stages };
}

/** Walks a plan with drawn events of the person and the model; returns the path, and the number of moves. */
function walk(seed: number): { path: string[]; state: StageState | null; plan: StagePlan; moves: number } {
  const draw = generator(seed);
  const plan = planFrom(draw);
  let moves = 0;
  let state = settle(plan, beginStages(plan, MARK), () => moves++);
  let last = state;
  for (let heard = 1; state !== null && heard < 60; heard++) {
    state = noteWords(state, heard);
    const values = new Map<string, unknown>();
    if (draw(2) === 0) values.set(["a", "b"][draw(2)] as string, draw(4) === 0 ? undefined : draw(2));
    const isConfirmed = draw(2) === 0;
    state = storeFields(state, values, ["a", "b"]);
    if (isConfirmed) state = { ...state, isConfirmed };
    if (draw(3) === 0) state = noteOutcome(state, "look", draw(2) === 0 ? "FAILED" : "SUCCEEDED");
    state = noteChoice(state, draw(2) === 0 ? `e${draw(4)}` : draw(2) === 0 ? `global:s${draw(8)}` : null);
    last = state;
    state = settle(plan, state, () => moves++);
    last = state ?? last;
  }
  return { path: (last?.path ?? []).map(({ stageId }) => stageId), state: last, plan, moves };
}

test("any walk ends, keeps to its limits, and is the same for the same words", () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const { path, state, plan, moves } = walk(seed);
    expect(walk(seed).path).toEqual(path);
    for (const { id, maxVisits } of plan.stages) expect(state?.visits[id] ?? 0).toBeLessThanOrEqual(maxVisits);
    // Each counted visit is followed by one return at most.
    expect(moves).toBeLessThanOrEqual(2 * plan.stages.reduce((sum, stage) => sum + stage.maxVisits, 0));
    expect(path.length).toBeLessThanOrEqual(Math.min(500, moves + 1));
  }
});

test("a session that circles for ever has a path of 500 visits at most", () => {
  const stages = Array.from({ length: 100 }, (_, i) =>
    stageOf(`s${i}`, { maxVisits: 20, edges: [edge("on", `s${(i + 1) % 100}`)] }),
  );
  const plan = { start: "s0", stages };
  let state: StageState | null = beginStages(plan, MARK);
  let moves = 0;
  for (;;) {
    const move = nextMove(plan, state, factsOf(undefined, state));
    if (move.kind !== "ENTER") break;
    state = applyMove(plan, state, move, MARK);
    moves++;
  }
  expect([moves, state.path.length]).toEqual([1_999, 500]);
});

test("a CONFIRM is left by no edge before a yes", () => {
  const plan = {
    start: "s0",
    stages: [stageOf("s0", { type: "CONFIRM", fields: ["a"], edges: [edge("on", "s1")] }), stageOf("s1")],
  };
  const begun = storeFields(beginStages(plan, MARK), new Map([["a", 1]]), ["a"]);
  const heard = noteChoice(noteWords(begun, 1), null);
  expect(nextMove(plan, heard, factsOf(plan.stages[0], heard))).toEqual({ kind: "STAY" });
  const confirmed = { ...heard, isConfirmed: true };
  expect(nextMove(plan, confirmed, factsOf(plan.stages[0], confirmed))).toMatchObject({ to: "s1", edgeId: "on" });
});

test("an edge behind a meaning waits for the model's judgement", () => {
  const edges = [edge("why", "s1", { type: "MEANING", description: "asks why", examples: [] }), edge("on", "s2")];
  const plan = { start: "s0", stages: [stageOf("s0", { edges }), stageOf("s1"), stageOf("s2")] };
  const heard = noteWords({ ...beginStages(plan, MARK), isEntryDue: false }, 1);
  const facts = factsOf(plan.stages[0], heard);
  expect(nextMove(plan, heard, facts)).toEqual({ kind: "STAY" });
  expect(nextMove(plan, noteChoice(heard, "why"), facts)).toMatchObject({ to: "s1" });
  expect(nextMove(plan, noteChoice(heard, null), facts)).toMatchObject({ to: "s2" });
});

test("a global stage goes back to where it was entered, and its flow's end to the stage around", () => {
  const stages = [
    stageOf("s0", { type: "SUBFLOW", opens: "s0.a", edges: [edge("on", "s1")] }),
    stageOf("s0.a", { fields: ["a"], edges: [edge("e", "s0.end", { type: "COLLECTED" })] }),
    stageOf("s0.end", { type: "END", returnsTo: "s0" }),
    stageOf("s1", { prompt: "x" }),
    stageOf("price", {
      onEntry: [{ type: "SAY", text: "40" }],
      global: { when: { type: "MEANING", description: "x", examples: [] }, returns: true },
    }),
  ];
  const plan = { start: "s0", stages };
  let state = settle(plan, beginStages(plan, MARK)) as StageState;
  expect(state.current).toBe("s0.a");
  state = settle(plan, noteChoice(noteWords(state, 1), "global:price")) as StageState;
  expect(state.current).toBe("s0.a");
  state = settle(plan, noteChoice(storeFields(noteWords(state, 2), new Map([["a", 1]]), ["a"]), null)) as StageState;
  expect(state.path.map(({ stageId, edgeId }) => [stageId, edgeId])).toEqual([
    ["s0", null],
    ["s0.a", null],
    ["price", null],
    ["s0.a", "e"],
    ["s0.end", null],
    ["s0", "on"],
    ["s1", null],
  ]);
});
