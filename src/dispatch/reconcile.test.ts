import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Carrier, LookUpResult } from "#src/carriers/carrier.ts";
import { settle } from "./reconcile.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A carrier that answers look-ups with these, the last one again and again. */
function carrierThatSays(answers: LookUpResult[], absenceIsProof: boolean): Carrier & { asked: () => number } {
  let asked = 0;
  const carrier = {
    name: "told",
    capabilities: { findsByAttemptId: true, absenceIsProof, horizonMs: 30_000 },
    lookUp: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] as LookUpResult),
  };
  return { ...(carrier as unknown as Carrier), asked: () => asked };
}

async function settleWith(answers: LookUpResult[], absenceIsProof = true) {
  const carrier = carrierThatSays(answers, absenceIsProof);
  const settled = settle(carrier, "attempt", new AbortController().signal);
  await vi.advanceTimersByTimeAsync(60_000);
  return { found: await settled, asked: carrier.asked() };
}

const UNREACHABLE: LookUpResult = { kind: "UNCERTAIN", message: "no route" };

test("a certain answer is taken at once", async () => {
  const live: LookUpResult = { kind: "RINGING", providerCallId: "c" };
  expect(await settleWith([live])).toEqual({ found: live, asked: 1 });
  expect(await settleWith([{ kind: "ABSENT" }])).toEqual({ found: { kind: "ABSENT" }, asked: 1 });
});

test("an unreachable carrier is asked again until it answers", async () => {
  const { found, asked } = await settleWith([UNREACHABLE, UNREACHABLE, { kind: "ABSENT" }]);
  expect([found.kind, asked]).toEqual(["ABSENT", 3]);
});

test("past the horizon the attempt is UNCONFIRMED, with the reason", async () => {
  const { found, asked } = await settleWith([UNREACHABLE]);
  expect(found).toEqual({ kind: "UNCONFIRMED", message: "no route" });
  expect(asked).toBeGreaterThan(5);
});

test("absence without proof never becomes a redial", async () => {
  const { found } = await settleWith([{ kind: "ABSENT" }], false);
  expect(found.kind).toBe("UNCONFIRMED");
  const late = await settleWith(
    [{ kind: "ABSENT" }, { kind: "ANSWERED", providerCallId: "c", answeredBy: "HUMAN" }],
    false,
  );
  expect(late.found.kind).toBe("ANSWERED");
});

test("a stop ends the waiting", async () => {
  const abort = new AbortController();
  const settled = settle(carrierThatSays([UNREACHABLE], true), "attempt", abort.signal);
  const outcome = Promise.allSettled([settled]);
  await vi.advanceTimersByTimeAsync(50);
  abort.abort(new Error("stopping"));
  const [end] = await outcome;
  expect(end).toMatchObject({ status: "rejected", reason: { message: "stopping" } });
});
