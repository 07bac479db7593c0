import { expect, it } from "vitest";
import { mergeFields } from "./merge-fields.ts";

it("takes mine where I changed a field, theirs elsewhere, and mine where both did", () => {
  const before = { prompt: "p", name: "n", tools: ["a"], limits: { turns: 1 } };
  const mine = { prompt: "my p", name: "n", tools: ["a"], limits: { turns: 2 } };
  const theirs = { prompt: "p", name: "their n", tools: ["a", "b"], limits: { turns: 3 } };
  expect(mergeFields(before, mine, theirs)).toEqual({
    prompt: "my p",
    name: "their n",
    tools: ["a", "b"],
    limits: { turns: 2 },
  });
});
