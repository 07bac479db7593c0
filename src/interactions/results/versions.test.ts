import { expect, test } from "vitest";
import { compareVersions } from "./versions.ts";

const version = (number: number, persons: number, goals: number) => ({ version: number, persons, goals });

test("one version is not compared", () => {
  expect(compareVersions([])).toBeNull();
  expect(compareVersions([version(1, 50, 20), version(2, 0, 0)])).toBeNull();
});

test("a version is better when the interval of the difference leaves out zero", () => {
  // Newcombe 1998, table II: 56/70 against 48/80 differ by 0.2000, method 10 gives 0.0524 to 0.3339.
  expect(compareVersions([version(4, 70, 56), version(3, 80, 48)])).toEqual({
    verdict: "BETTER",
    version: 4,
    comparedWith: 3,
    difference: { value: 0.2, low: 0.0524, high: 0.3339 },
    words: "Version 4 is better: 80 % of its answered calls succeed, 60 % with version 3 (5 to 33 points more).",
  });
});

test("calls that show no difference, or are too few, say so", () => {
  expect(compareVersions([version(1, 60, 30), version(2, 60, 33)])).toMatchObject({
    verdict: "NO_DIFFERENCE_YET",
    version: 2,
    words: "The calls show no difference between versions 1 and 2 yet.",
  });
  expect(compareVersions([version(1, 19, 19), version(2, 60, 0)])?.verdict).toBe("TOO_FEW_CALLS");
});
