import { describe, expect, test } from "vitest";
import type { Behaviour } from "./behaviour.ts";
import { isFictional, SANDBOX_NUMBERS, sandboxCode, simulate } from "./sandbox-numbers.ts";

describe("fictional numbers", () => {
  test("are the three ranges of a hundred, and nothing beside them", () => {
    expect(sandboxCode("+12025550107")).toBe(7);
    expect(sandboxCode("+442079460189")).toBe(89);
    expect(sandboxCode("+61255500100")).toBe(0);
    for (const other of [
      "+12025550200",
      "+120255501070",
      "+1202555010",
      "12025550107",
      "+442079460289",
      "+61255500200",
    ]) {
      expect(isFictional(other)).toBe(false);
    }
  });

  test("each code of the table is listed once, with every cell filled", () => {
    const codes = SANDBOX_NUMBERS.map((row) => row.code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(SANDBOX_NUMBERS.every((row) => row.name && row.line && row.outcome && row.shows)).toBe(true);
    for (const code of [0, 1, 9, 10, 14, 20, 24, 30, 33, 40, 48, 50, 55, 80, 89]) expect(codes).toContain(code);
  });

  test.each([
    ["+12025550100", 1, { kind: "ANSWERS", persona: "AGREES", ringMs: 2_000 }],
    ["+442079460105", 1, { kind: "ANSWERS", persona: "FOREIGN" }],
    ["+12025550110", 3, { kind: "FAILS", outcome: "BUSY", sipCode: 486 }],
    ["+12025550112", 1, { kind: "FAILS", outcome: "REJECTED", sipCode: 603 }],
    ["+12025550113", 1, { kind: "FAILS", outcome: "BUSY" }],
    ["+12025550113", 2, { kind: "ANSWERS" }],
    ["+12025550114", 2, { kind: "FAILS", outcome: "NO_ANSWER" }],
    ["+12025550114", 3, { kind: "ANSWERS" }],
    ["+12025550123", 1, { kind: "ANSWERS", answeredBy: "FAX" }],
    ["+12025550130", 1, { kind: "FAILS", outcome: "INVALID_NUMBER", sipCode: 404 }],
    ["+12025550131", 1, { kind: "FAILS", outcome: "UNREACHABLE", sipCode: 480 }],
    ["+12025550142", 1, { kind: "REFUSES", why: "CREDENTIALS" }],
    ["+12025550153", 1, { kind: "ANSWERS", ringMs: 20_000 }],
    ["+12025550180", 1, { kind: "ANSWERS", persona: "HOLDS", holdMs: 10_000 }],
    ["+12025550189", 1, { kind: "ANSWERS", persona: "HOLDS", holdMs: 100_000 }],
    ["+12025550177", 1, { kind: "ANSWERS", persona: "AGREES" }],
  ])("%s on attempt %i", (number, attempt, expected) => {
    expect(simulate(number, attempt)).toMatchObject(expected);
  });
});

describe("any other number", () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => `+4930${String(1_000_000 + i)}`);
  const shareOf = (wanted: (number: string) => boolean): number => numbers.filter(wanted).length / numbers.length;

  test("spreads as documented, also over neighbouring numbers", () => {
    const outcomeOf = (number: string): string => {
      const behaviour = simulate(number, 1);
      if (behaviour.kind === "FAILS") return behaviour.outcome;
      return behaviour.kind === "ANSWERS" ? behaviour.answeredBy : behaviour.kind;
    };
    const share = (outcome: string): number => shareOf((number) => outcomeOf(number) === outcome);
    // Within 0.8 of a percentage point, which a sample of 20,000 numbers meets.
    expect(share("HUMAN")).toBeCloseTo(0.6, 1.8);
    expect(share("NO_ANSWER")).toBeCloseTo(0.18, 1.8);
    expect(share("MACHINE_VOICEMAIL")).toBeCloseTo(0.1, 1.8);
    expect(share("BUSY")).toBeCloseTo(0.06, 1.8);
    expect(share("INVALID_NUMBER")).toBeCloseTo(0.03, 1.8);
    expect(share("CARRIER_FAILURE")).toBeCloseTo(0.03, 1.8);
  });

  test.each(["AGREES", "DECLINES", "ASKS_BACK", "BAD_DATA", "CALL_LATER"])(
    "reaches %s in a fifth of the answers",
    (persona) => {
      const share = shareOf((number) => {
        const behaviour = simulate(number, 1);
        return behaviour.kind === "ANSWERS" && behaviour.persona === persona;
      });
      expect(share).toBeCloseTo(0.12, 1.8);
    },
  );

  test("only busy and unanswered numbers change with the attempt, and most of them answer in the end", () => {
    const laterOf = (number: string): Behaviour[] => [2, 3, 4, 5].map((attempt) => simulate(number, attempt));
    const isRetried = (number: string): boolean => {
      const first = simulate(number, 1);
      return first.kind === "FAILS" && (first.outcome === "BUSY" || first.outcome === "NO_ANSWER");
    };
    const retried = numbers.filter(isRetried);
    const reached = retried.filter((number) => laterOf(number).some((behaviour) => behaviour.kind === "ANSWERS"));
    expect(reached.length / retried.length).toBeGreaterThan(0.9);
    const changed = numbers.filter((number) => {
      const first = JSON.stringify(simulate(number, 1));
      return !isRetried(number) && laterOf(number).some((behaviour) => JSON.stringify(behaviour) !== first);
    });
    expect(changed).toEqual([]);
  });
});
