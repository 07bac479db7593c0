import { expect, it } from "vitest";
import { findDifferences } from "./find-differences.ts";
import { mergeFields } from "./merge-fields.ts";

it("takes mine where I changed a field, theirs elsewhere, and mine where both did", () => {
  const before = { prompt: "p", name: "n", tools: ["a"], limits: { turns: 1, words: 1 }, gone: "x" };
  const mine = { prompt: "my p", name: "n", tools: ["a"], limits: { turns: 2, words: 1 }, gone: "y" };
  const theirs = { prompt: "p", name: "their n", tools: ["a", "b"], limits: { turns: 3, words: 5 }, gone: "x" };
  expect(mergeFields(before, mine, theirs)).toEqual({
    prompt: "my p",
    name: "their n",
    tools: ["a", "b"],
    limits: { turns: 2, words: 5 },
    gone: "y",
  });
});

it("shows only what differs, and no secret of either", () => {
  const mine = { name: "n", apiKey: "sk-1", schema: '{"a":1}', secrets: { authToken: "t" }, trunk: { host: "a" } };
  const theirs = { name: "n", apiKey: "", schema: "{}", secrets: {}, trunk: { host: "b" } };
  expect(findDifferences(mine, theirs)).toEqual({
    left: { apiKey: "••••••", schema: { a: 1 }, secrets: { authToken: "••••••" }, trunk: { host: "a" } },
    right: { apiKey: "", schema: {}, secrets: {}, trunk: { host: "b" } },
  });
});
