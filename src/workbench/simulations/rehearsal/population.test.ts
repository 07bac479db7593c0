import fc from "fast-check";
import { expect, it } from "vitest";
import { apportion, seededRandom, shuffleParts } from "./population.ts";

it("shares out every row, each part within one of its share", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), weights, (rows, shares) => {
      const counts = apportion(rows, shares);
      const total = shares.reduce((sum, share) => sum + share, 0);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows);
      for (const [i, share] of shares.entries())
        expect(Math.abs((counts[i] ?? NaN) - (rows * share) / total)).toBeLessThan(1);
    }),
  );
});

it("mixes the parts by the seed alone and keeps their counts", () => {
  const first = shuffleParts([50, 30, 20], seededRandom(7));
  expect(shuffleParts([50, 30, 20], seededRandom(7))).toEqual(first);
  expect(shuffleParts([50, 30, 20], seededRandom(8))).not.toEqual(first);
  expect([0, 1, 2].map((part) => first.filter((of) => of === part).length)).toEqual([50, 30, 20]);
});
