import { describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { CallShare } from "./call-share.ts";

const IDS = Array.from({ length: 4_000 }, () => uuidv7().replaceAll("-", ""));

/** A share of 100 calls a second after seconds of so many calls each. */
function after(...seconds: number[]): CallShare {
  let clockMs = 0;
  const share = new CallShare(100, () => clockMs);
  for (const calls of seconds) {
    for (let i = 0; i < calls; i++) {
      clockMs += 1_000 / calls;
      share.noteBegun();
    }
  }
  return share;
}

const taken = (share: CallShare) => IDS.filter((id) => share.takes(id));
const shareOf = (share: CallShare) => taken(share).length / IDS.length;

describe("the share of calls that is traced", () => {
  test("is all of them before the first and up to the limit", () => {
    expect(shareOf(after())).toBe(1);
    expect(shareOf(after(1, 10, 100, 100))).toBe(1);
  });

  test.each([
    [150, 1 / 2],
    [300, 1 / 4],
    [1_000, 1 / 16],
  ])("at %d calls a second is %d, below the limit", (rate, expected) => {
    expect(shareOf(after(rate, rate))).toBeCloseTo(expected, 1);
    expect(expected * rate).toBeLessThanOrEqual(100);
  });

  test("grows again when fewer begin, and is kept by a rate that goes up and down a little", () => {
    expect(shareOf(after(1_000, 1_000, 20, 20))).toBe(1);
    const steady = after(210, 190, 205, 195);
    expect(shareOf(steady)).toBeCloseTo(1 / 4, 1);
  });

  test("of a busier node is a part of that of a quieter one", () => {
    const quieter = new Set(taken(after(300, 300)));
    expect(taken(after(1_000, 1_000)).filter((id) => !quieter.has(id))).toEqual([]);
  });
});
