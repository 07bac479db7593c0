import { expect, it } from "vitest";
import { describeGaps, toCoveredStages } from "./coverage.ts";

const edge = (stageId: string, to: string, sessions: number, label = "") => ({
  stageId,
  edgeId: `to_${to}`,
  to,
  label,
  covered: sessions > 0,
  sessions,
});
const coverage = {
  covered: 1,
  total: 3,
  edges: [
    edge("ask", "end", 4),
    edge("ask", "objection", 0),
    edge("ask", "ask", 0, "again"),
    edge("objection", "end", 0),
  ],
  unreachedStages: ["objection"],
};

it("says which stages nobody reached, and which edges between the others nobody took", () => {
  const stages = toCoveredStages(coverage);
  expect(stages.map(({ id, edges }) => [id, ...edges.map(({ to }) => to)])).toEqual([
    ["ask", "end", "objection", "ask"],
    ["end"],
    ["objection", "end"],
  ]);
  expect(describeGaps(coverage, stages)).toEqual([
    "No persona ever reached objection.",
    "No persona went from ask to ask (again).",
  ]);
});
