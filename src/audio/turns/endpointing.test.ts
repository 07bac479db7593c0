import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Endpointing } from "./endpointing.ts";

describe("the wait at a pause", () => {
  test("is 500 ms by default, shorter after a whole answer, longer after an open sentence or half a number", () => {
    const endpointing = new Endpointing({ language: "en" });
    expect(endpointing.delayMs(null)).toBe(500);
    expect(endpointing.delayMs("I come on Monday")).toBe(500);
    expect(endpointing.delayMs("yes")).toBe(300);
    expect(endpointing.delayMs("I come on Monday and")).toBe(1_200);
    expect(endpointing.delayMs("five five five")).toBe(1_200);
    expect(endpointing.delayMs("")).toBe(1_500);
  });

  test("follows a slow and a fast speaker's own pauses", () => {
    const slow = new Endpointing({ language: "en" });
    const fast = new Endpointing({ language: "en" });
    for (let i = 0; i < 12; i++) {
      slow.learnPause(700, "and then I went home");
      fast.learnPause(220, "and then I went home");
    }
    expect(slow.delayMs("it was late")).toBeGreaterThan(800);
    expect(fast.delayMs("it was late")).toBeLessThan(350);
  });

  test("learns nothing of the pace from a pause to think", () => {
    const endpointing = new Endpointing({ language: "en" });
    endpointing.learnPause(1_400, "my number is five five");
    endpointing.learnPause(1_400, "um");
    expect(endpointing.delayMs("hello there")).toBe(500);
  });

  test("stays within its limits whatever is said and however long the pauses are", () => {
    const pauses = fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.option(fc.string())), { maxLength: 50 });
    fc.assert(
      fc.property(pauses, fc.option(fc.string({ unit: "binary" })), (learnt, text) => {
        const endpointing = new Endpointing({ language: "de" });
        for (const [pauseMs, before] of learnt) endpointing.learnPause(pauseMs, before);
        const delayMs = endpointing.delayMs(text);
        expect(delayMs).toBeGreaterThanOrEqual(200);
        expect(delayMs).toBeLessThanOrEqual(1_500);
      }),
    );
  });
});
