import { expect, it } from "vitest";
import { sumFaults } from "./sum-faults.ts";

it("tells each reason once with how often it was given, the most frequent first", () => {
  const faults = ["busy", "gone", "gone", "busy", "gone"].map((text) => new Error(text));
  expect(sumFaults(faults)).toBe("3 × gone\n2 × busy");
  const many = sumFaults(Array.from({ length: 9 }, (_, i) => new Error(`reason ${i}`)));
  expect(many.split("\n")).toHaveLength(6);
  expect(many).toMatch(/and 4 other reasons$/);
});
