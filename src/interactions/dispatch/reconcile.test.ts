import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AskedAttempt, Carrier, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { reconcile, type ReportedAttempt } from "./reconcile.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A carrier that answers look-ups with these results, repeating the last one. */
function carrierThatSays(answers: LookUpResult[], absenceIsProof: boolean): Carrier & { asked: () => number } {
  let asked = 0;
  const carrier = {
    name: "told",
    capabilities: { dedupe: null, looksUpBy: "ATTEMPT_ID", absenceIsProof, horizonMs: 30_000 },
    lookUp: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] as LookUpResult),
  };
  return { ...(carrier as unknown as Carrier), asked: () => asked };
}

const ASKED: AskedAttempt = {
  attemptId: "attempt",
  workspaceId: "w",
  providerCallId: null,
  from: "+12025550190",
  to: "+12025550100",
  dialledAt: new Date(0),
};

async function settleWith(answers: LookUpResult[], absenceIsProof = true, reported: ReportedAttempt | null = null) {
  const carrier = carrierThatSays(answers, absenceIsProof);
  const settled = reconcile(carrier, ASKED, async () => reported, new AbortController().signal);
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

const ENDED: LookUpResult = {
  kind: "ENDED",
  event: {
    type: "ENDED",
    eventKey: "k",
    attemptId: "attempt",
    providerCallId: "c",
    at: "2026-01-01T00:00:00Z",
    outcome: "BUSY",
    hungUpBy: "CARRIER",
    sipCode: 486,
    reason: "busy",
  },
};

const OVER = { ...ENDED, answeredBy: null };

test("what events told ends the asking, or stands where a look-up finds nothing", async () => {
  expect(await settleWith([UNREACHABLE], false, { providerCallId: "c", state: OVER })).toEqual({
    found: OVER,
    asked: 0,
  });
  const ringing = { kind: "RINGING", providerCallId: "c" } as const;
  const reported = { providerCallId: "c", state: ringing };
  expect((await settleWith([{ kind: "ABSENT" }], true, reported)).found).toEqual(ringing);
  // The carrier's answer outranks an old event.
  expect((await settleWith([ENDED], false, reported)).found).toEqual(OVER);
});

test("a stop ends the waiting", async () => {
  const abort = new AbortController();
  const settled = reconcile(carrierThatSays([UNREACHABLE], true), ASKED, async () => null, abort.signal);
  const outcome = Promise.allSettled([settled]);
  await vi.advanceTimersByTimeAsync(50);
  abort.abort(new Error("stopping"));
  const [end] = await outcome;
  expect(end).toMatchObject({ status: "rejected", reason: { message: "stopping" } });
});

test("a carrier that cannot tell an answer from ringing is not believed against its own event", async () => {
  const state = { kind: "ANSWERED", providerCallId: "c", answeredBy: "HUMAN" } as const;
  const reported: ReportedAttempt = { providerCallId: "c", state };
  expect((await settleWith([{ kind: "RINGING", providerCallId: "c" }], false, reported)).found).toEqual(state);
});
