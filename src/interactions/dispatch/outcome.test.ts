import { describe, expect, test } from "vitest";
import type { SessionEndReason, SessionOutcome } from "#src/engine/conversation/plan.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { ClaimedRow } from "./claim.ts";
import { endAbsent, endByEvent, endBySession, scaleMs } from "./outcome.ts";

const TALKED = { answered: "HUMAN", verdict: null, providerCallId: "c", recorded: true } as const;

const middle = () => 0.5;

function rowWith(fields: Partial<ClaimedRow> = {}): ClaimedRow {
  const retry = {
    maxAttempts: 3,
    retryOn: ["BUSY", "NO_ANSWER", "CARRIER_FAILURE", "VOICEMAIL"],
    delaysSeconds: [60],
    jitterPercent: 0,
  };
  return { provider: "SANDBOX", sandbox_speed: 1, attempts_made: 1, retry, ...fields } as unknown as ClaimedRow;
}

function ended(outcome: (CarrierEvent & { type: "ENDED" })["outcome"]): CarrierEvent & { type: "ENDED" } {
  const base = { eventKey: "k", attemptId: "a", providerCallId: "c", at: "2026-01-01T00:00:00Z" };
  return { ...base, type: "ENDED", outcome, hungUpBy: "CARRIER", sipCode: 486, reason: "why" };
}

function session(endReason: SessionEndReason): SessionOutcome {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return {
    endReason,
    turns: [],
    outputs: {},
    extractedFields: {},
    pendingOutputs: [],
    durationMs: 1,
    usage,
    modelMs: [],
    error: null,
    humanRequested: false,
    stagePath: [],
    doubt: null,
  };
}

describe("an attempt that nobody answered", () => {
  test("is retried by the job's rules, and final after the last attempt", () => {
    expect(endByEvent(rowWith(), ended("BUSY"), middle)).toMatchObject({
      status: "WAITING_FOR_RETRY",
      retryMs: 60_000,
      outcome: "BUSY",
    });
    expect(endByEvent(rowWith({ attempts_made: 3 }), ended("BUSY"), middle)).toMatchObject({
      status: "FAILED",
      retryMs: null,
    });
    expect(endByEvent(rowWith(), ended("REJECTED"), middle)).toMatchObject({
      status: "FAILED",
      outcome: "REJECTED",
      sipCode: 486,
    });
  });
});

describe("a person who picked up is never rung again by a retry", () => {
  test.each(["ANSWERED", "CALL_SCREENED", "IVR"] as const)(
    "not after a call that ended %s without our conversation",
    (outcome) => {
      expect(endByEvent(rowWith(), ended(outcome), middle)).toMatchObject({
        status: "FAILED",
        retryMs: null,
        outcome: "INTERRUPTED",
      });
    },
  );

  test.each<SessionEndReason>([
    "CARRIER_CONNECTION_LOST",
    "ERROR_INTERRUPTED",
    "ERROR_MODEL",
    "CUSTOMER_HUNG_UP",
    "INTERRUPTED_BY_OPERATOR",
    "LIMIT_SILENCE",
  ])("not after a conversation that ended by %s", (reason) => {
    expect(endBySession(rowWith(), session(reason), TALKED, middle).retryMs).toBeNull();
  });
});

test.each<[SessionEndReason, string, string, string]>([
  ["AGENT_ENDED_CALL", "HUMAN", "COMPLETED", "ANSWERED"],
  ["AGENT_ENDED_CALL", "MACHINE_SCREENING", "COMPLETED", "CALL_SCREENED"],
  ["CUSTOMER_OPTED_OUT", "HUMAN", "COMPLETED", "OPTED_OUT"],
  ["AGENT_LEFT_VOICEMAIL", "MACHINE_VOICEMAIL", "COMPLETED", "VOICEMAIL"],
  ["AGENT_HUNG_UP_ON_MACHINE", "MACHINE_VOICEMAIL", "WAITING_FOR_RETRY", "VOICEMAIL"],
  ["AGENT_HUNG_UP_ON_MACHINE", "FAX", "FAILED", "FAX"],
  ["INTERRUPTED_BY_OPERATOR", "HUMAN", "FAILED", "INTERRUPTED_BY_OPERATOR"],
  ["INTERRUPTED_BY_OPERATOR", "MACHINE_VOICEMAIL", "WAITING_FOR_RETRY", "VOICEMAIL"],
  ["ERROR_MODEL", "HUMAN", "FAILED", "ANSWERED"],
])("%s with %s is %s, %s", (reason, answeredBy, status, outcome) => {
  expect(
    endBySession(rowWith(), session(reason), { ...TALKED, answered: answeredBy as "HUMAN" }, middle),
  ).toMatchObject({
    status,
    outcome,
  });
});

test("proof of absence puts the row back without using up the attempt", () => {
  expect(endAbsent(rowWith(), 0, { attemptState: "ABSENT", error: null })).toMatchObject({
    status: "QUEUED",
    retryMs: 0,
    uncount: true,
  });
});

test("only the sandbox's clock is scaled", () => {
  expect(scaleMs(rowWith({ sandbox_speed: 10 }), 1_000)).toBe(100);
  expect(scaleMs(rowWith({ sandbox_speed: null }), 1_000)).toBe(0);
  expect(scaleMs(rowWith({ provider: "TWILIO", sandbox_speed: null }), 1_000)).toBe(1_000);
});
