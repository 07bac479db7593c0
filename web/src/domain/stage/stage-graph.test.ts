import type { StageCondition } from "@parley/sdk";
import { expect, it } from "vitest";
import { layOut, STAGE_SIZE } from "./stage-layout.ts";
import { toRunMarks } from "./stage-run.ts";
import { findStageWarnings } from "./stage-warnings.ts";
import { describeCondition, describeStages } from "./stage-words.ts";
import { type Stage, toStage, toStageBody } from "./stage.ts";

const edge = (to: string) => ({ id: to, to, when: { type: "ALWAYS" as const } });
const stage = (id: string, to: string[] = [], more: Partial<Stage> = {}): Stage => ({
  ...toStage({ id, edges: to.map(edge) }),
  ...more,
});
const codes = (stages: Stage[]) =>
  Object.fromEntries([...findStageWarnings(stages)].map(([id, found]) => [id, found.map(({ code }) => code)]));

it("warns of stages to which nothing leads, of dead ends, and of circles without an end", () => {
  expect(codes([])).toEqual({});
  expect(codes([stage("a", ["b"]), stage("b", [], { type: "END" })])).toEqual({});
  expect(codes([stage("a", ["b"]), stage("b"), stage("c", ["b"])])).toEqual({ b: ["DEAD_END"], c: ["UNUSED"] });
  expect(codes([stage("a", ["b"]), stage("b", ["a"])])).toEqual({ a: ["ENDLESS"], b: ["ENDLESS"] });
  const end = stage("end", [], { type: "END" });
  expect(codes([stage("a", ["b"]), stage("b", ["a"], { onMaxVisits: "end" }), end])).toEqual({});
  const always = { type: "ALWAYS" } as const;
  const price = stage("price", [], { global: { when: always, returns: true } });
  expect(codes([stage("a", ["end"]), price, end])).toEqual({});
  expect(codes([stage("b", ["end"]), end, stage("a", ["b"], { isStart: true })])).toEqual({});
});

it("warns of a stage that a person cannot leave with a no", () => {
  const leave = (...whens: StageCondition[]) =>
    stage("ask", [], { edges: whens.map((when, i) => ({ id: `e${i}`, to: "end", label: null, when })) });
  const end = stage("end", [], { type: "END" });
  const comes = (value: boolean) => ({ type: "FIELD", field: "comes", operator: "EQUALS", value }) as const;
  const agrees = { type: "MEANING", description: "agrees" } as const;
  expect(codes([leave(comes(true)), end])).toEqual({ ask: ["HELD"] });
  expect(codes([leave(comes(true), comes(false)), end])).toEqual({});
  expect(codes([leave(comes(true), { type: "ALWAYS" }), end])).toEqual({});
  expect(codes([leave(comes(true), agrees), end])).toEqual({});
  expect(codes([leave(agrees), end])).toEqual({ ask: ["HELD"] });
  expect(codes([leave(agrees, { type: "MEANING", description: "declines" }), end])).toEqual({});
  const anything = stage("bye", ["end"], { global: { when: agrees, returns: false } });
  expect(codes([leave(agrees), end, anything])).toEqual({});
});

it("lays a graph out in layers from its start, whatever circles it has", () => {
  const places = layOut([stage("b", ["c", "a"]), stage("c", ["c"]), stage("a", ["b", "c"], { isStart: true })]);
  const rows = ["a", "b", "c"].map((id) => places.get(id)?.y);
  expect(rows).toEqual(rows.toSorted((one, other) => Number(one) - Number(other)));
  expect(new Set(rows).size).toBe(3);
});

it("places no two stages on each other, and leaves those that were placed by hand", () => {
  const stages = Array.from({ length: 100 }, (_, index) =>
    stage(`s${index}`, [`s${(index * 7) % 100}`, `s${(index * 13 + 5) % 100}`, "elsewhere"]),
  );
  const byHand = stages.with(40, { ...(stages[40] as Stage), position: { x: 500, y: 2_000 } });
  const places = [...layOut(byHand).entries()];
  expect(places).toHaveLength(100);
  expect(new Map(places).get("s40")).toEqual({ x: 500, y: 2_000 });
  for (const [id, one] of places) {
    const near = places.filter(
      ([other, { x, y }]) =>
        other !== id && Math.abs(x - one.x) < STAGE_SIZE.width && Math.abs(y - one.y) < STAGE_SIZE.height,
    );
    expect([id, near]).toEqual([id, []]);
  }
});

it("describes conditions in words, also those that are not complete yet", () => {
  const words = [
    { type: "COLLECTED" } as const,
    { type: "FIELD", field: "partySize", operator: "ABOVE", value: 4 } as const,
    { type: "FIELD", field: "day", operator: "ONE_OF", value: ["Monday", "Friday"] } as const,
    { type: "FIELD", field: "", operator: "EQUALS" } as const,
    { type: "FIELD", field: "day", operator: "IS_NOT_SET" } as const,
    { type: "TOOL_RESULT", toolId: "find", outcome: "FAILED" } as const,
    { type: "MEANING", description: "asks about the price", examples: [] } as const,
    { type: "EXPRESSION", expression: "{{ x }}" } as const,
  ].map((when) => describeCondition(when as never));
  expect(words).toEqual([
    "all its fields are given",
    "partySize is above 4",
    "day is one of Monday, Friday",
    "? is ?",
    "day is not given",
    "find failed",
    "the person asks about the price",
    "{{ x }}",
  ]);
});

it("gives a stage back as it was read, without what is empty", () => {
  const body = {
    id: "ask",
    type: "TALK" as const,
    toolIds: [],
    edges: [{ id: "on", to: "end", when: { type: "ALWAYS" as const } }],
    global: { when: { type: "COLLECTED" as const }, returns: true },
    maxVisits: 3,
  };
  expect(toStageBody(toStage(body))).toEqual(body);
  expect(toStageBody(toStage({ id: "ask", name: null, fields: null, edges: [], maxVisits: 5 }))).toEqual({
    id: "ask",
    type: "TALK",
  });
});

it("describes stages line by line, so that a changed edge is a changed line", () => {
  const end = stage("end", [], { type: "END", name: "Goodbye", onEntry: [{ type: "SAY", text: "Bye." }] });
  expect(describeStages([stage("ask", ["end"], { fields: ["day"] }), end])).toBe(
    `ask (ask): Conversation, start
  asks for: day
  → Goodbye when nothing is left to ask
Goodbye (end): End
  on entry: says Bye.`,
  );
});

it("tells stages of one name apart in the words of edges", () => {
  const ends = ["yes", "no"].map((id) => stage(id, [], { type: "END", name: "Goodbye" }));
  const leading = (to: string) => describeStages([stage("ask", [to]), ...ends]);
  expect(leading("yes")).toContain("→ Goodbye (yes) when");
  expect(leading("yes")).not.toBe(leading("no"));
});

it("describes stages whole, so that no change is hidden behind what is cut elsewhere", () => {
  const long = "x".repeat(100);
  const texts = [
    ["EXPRESSION", { expression: `${long}1` }, { expression: `${long}2` }],
    ["FIELD", { field: "a", value: `${long}1` }, { field: "a", value: `${long}2` }],
    ["MEANING", { description: `${long}1` }, { description: `${long}2` }],
    ["MEANING", { description: "x", examples: ["one"] }, { description: "x", examples: ["two"] }],
  ] as const;
  for (const [type, before, after] of texts) {
    const show = (condition: object) => {
      const when = { type, ...condition };
      return [{ global: { when, returns: false } }, { edges: [{ id: "on", to: "a", label: null, when }] }].map((more) =>
        describeStages([stage("a", [], more)]),
      );
    };
    for (const [i, text] of show(before).entries()) expect(text).not.toBe(show(after)[i]);
    expect(describeCondition({ type, ...before } as StageCondition).length).toBeLessThan(100);
  }
});

it("marks what a run came through, and the SUBFLOW around a stage of another flow", () => {
  const visit = (stageId: string, edgeId: string | null) => ({
    stageId,
    edgeId,
    stageName: stageId,
    enteredAt: "2026-11-26T10:00:00.000Z",
    leftAt: null,
    turnIndex: 0,
  });
  const path = [visit("ask", "on"), visit("visit", null), visit("visit.day", null)];
  const live = toRunMarks({ path, isOver: false });
  expect(Object.fromEntries(live.stages)).toEqual({ ask: "PASSED", visit: "CURRENT", "visit.day": "CURRENT" });
  expect([...(live.edges ?? [])]).toEqual([["ask.on", "PASSED"]]);
  expect(new Set(toRunMarks({ path, isOver: true }).stages.values())).toEqual(new Set(["PASSED"]));
  expect(toRunMarks({ path: [], isOver: false }).stages.size).toBe(0);
});
