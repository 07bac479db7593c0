import { expect, it } from "vitest";
import { MOST, type Stage, toStage } from "#web/domain/stage/stage.ts";
import { followHistory, recordEdit, redoEdit, startHistory, undoEdit } from "./edit-history.ts";
import { readClipboard, toClipboard } from "./stage-clipboard.ts";
import { editStages, findMade, freeId } from "./stage-edits.ts";

const stage = (id: string, ...to: string[]): Stage =>
  toStage({ id, edges: to.map((target) => ({ id: `to_${target}`, to: target, when: { type: "ALWAYS" } })) });
const GRAPH = [stage("a", "b", "c"), stage("b", "c"), { ...stage("c"), onMaxVisits: "b" }];
const show = (stages: Stage[]) => stages.map(({ id, edges }) => [id, ...edges.map(({ to }) => to)].join(" "));

it("adds a stage with an edge to it, and connects a stage by what it asks for", () => {
  const added = editStages(GRAPH, { type: "ADD", after: "b", at: null });
  expect(show(added)).toEqual(["a b c", "b c stage", "c", "stage"]);
  expect(findMade(GRAPH, added, { type: "ADD", after: "b", at: null })).toEqual({ stageId: "stage", edgeId: null });
  const asking = [{ ...stage("a"), fields: ["day"] }, stage("b")];
  const [{ edges } = stage("none")] = editStages(asking, { type: "CONNECT", from: "a", to: "b" });
  expect(edges.map(({ when }) => when.type)).toEqual(["COLLECTED"]);
  const full = Array.from({ length: MOST.stages }, (_, index) => stage(`s${index}`));
  expect(editStages(full, { type: "ADD", after: null, at: null })).toBe(full);
});

it("removes a stage with what leads to it, and renames it wherever it is named", () => {
  const removed = editStages(GRAPH, { type: "REMOVE", ids: ["b"] });
  expect(show(removed)).toEqual(["a c", "c"]);
  expect(removed[1]?.onMaxVisits).toBeNull();
  const renamed = editStages(GRAPH, { type: "RENAME", id: "b", to: "begin" });
  expect(show(renamed)).toEqual(["a begin c", "begin c", "c"]);
  expect(renamed[2]?.onMaxVisits).toBe("begin");
  expect(editStages(GRAPH, { type: "RENAME", id: "b", to: "c" })).toBe(GRAPH);
});

it("duplicates a stage beside it, and leaves the start where it was", () => {
  const twice = editStages(GRAPH, { type: "DUPLICATE", id: "a" });
  expect(show(twice)).toEqual(["a b c", "a_2 b c", "b c", "c"]);
  expect(twice.map(({ isStart }) => isStart)).toEqual([false, false, false, false]);
  const started = editStages(GRAPH, { type: "START", id: "b" });
  expect(editStages(started, { type: "DUPLICATE", id: "b" }).filter(({ isStart }) => isStart)).toHaveLength(1);
});

it("keeps every stage where it was seen once one is moved, and lays all out anew when asked", () => {
  const moved = editStages(GRAPH, { type: "MOVE", places: new Map([["b", { x: 900, y: 40 }]]) });
  expect(moved.map(({ position }) => position !== null)).toEqual([true, true, true]);
  expect(moved[1]?.position).toEqual({ x: 900, y: 40 });
  expect(editStages(moved, { type: "TIDY" }).map(({ position }) => position)).toEqual([null, null, null]);
});

it("changes the order in which edges are tried, within their stage", () => {
  const shift = (by: -1 | 1) => show(editStages(GRAPH, { type: "SHIFT_EDGE", from: "a", id: "to_c", by }))[0];
  expect([shift(-1), shift(1)]).toEqual(["a c b", "a b c"]);
});

it("goes back and forth through a hundred steps, typing being one, and forgets them after a change from elsewhere", () => {
  let history = startHistory(0);
  for (let value = 1; value <= 150; value++) history = recordEdit(history, value);
  for (let step = 0; step < 200; step++) history = undoEdit(history);
  expect(history.present).toBe(50);
  expect(redoEdit(history).present).toBe(51);
  let typed = startHistory("");
  for (const text of ["A", "As", "Ask"]) typed = recordEdit(typed, text, "name a");
  expect(undoEdit(typed).present).toBe("");
  expect(followHistory(typed, "Ask")).toBe(typed);
  expect(undoEdit(followHistory(typed, "Other")).present).toBe("Other");
});

it("pastes stages under free ids with the edges among them, and refuses what is none", () => {
  const text = toClipboard(GRAPH.slice(1));
  const pasted = readClipboard(text, GRAPH) ?? [];
  expect(show(pasted)).toEqual(["b_2 c_2", "c_2"]);
  expect(pasted[1]?.onMaxVisits).toBe("b_2");
  expect(show(readClipboard(toClipboard(GRAPH.slice(0, 1)), []) ?? [])).toEqual(["a"]);
  const started = toClipboard([stage("a"), { ...stage("b"), isStart: true }]);
  const startsOf = (present: Stage[]) => readClipboard(started, present)?.map(({ isStart }) => isStart);
  expect([startsOf([]), startsOf(GRAPH)]).toEqual([
    [false, true],
    [false, false],
  ]);
  const wrong = [
    "",
    "[]",
    '{"parleyStages": []}',
    '{"parleyStages": [{"id": "A", "type": "TALK"}]}',
    '{"parleyStages": [{"id": "a", "type": "toString"}]}',
    '{"parleyStages": [{"id": "a", "type": "TALK", "edges": [{"id": "e", "to": "b", "when": null}]}]}',
    '{"parleyStages": [{"id": "a", "type": "TALK", "fields": [1]}]}',
    '{"parleyStages": [{"id": "a", "type": "TALK"}, {"id": "a", "type": "END"}]}',
  ];
  expect(wrong.map((one) => readClipboard(one, []))).toEqual(wrong.map(() => null));
  const full = Array.from({ length: MOST.stages }, (_, index) => stage(`s${index}`));
  expect(readClipboard(text, full)).toBeNull();
});

it("finds a free id within fifty signs", () => {
  const long = "a".repeat(50);
  expect(freeId(long, [long])).toBe(`${"a".repeat(48)}_2`);
});
