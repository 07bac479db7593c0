import { expect, test } from "vitest";
import { fuseRankings } from "./fuse-rankings.ts";

const hit = (itemId: string, position = 0) => {
  return { itemId, position, title: "t", headings: [], page: null, text: "x", score: 9 };
};

test("what two rankings have comes before what one has first; equal scores keep their order", () => {
  const fused = fuseRankings([
    [hit("a"), hit("b"), hit("b", 1)],
    [hit("c"), hit("b")],
  ]);
  expect(fused.map(({ itemId, position }) => `${itemId}${position}`)).toEqual(["b0", "a0", "c0", "b1"]);
  expect(fused.map(({ score }) => score)).toEqual([2 / 62, 1 / 61, 1 / 61, 1 / 63]);
});
