import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reconcile, type Settled } from "#src/interactions/dispatch/reconcile.ts";
import { readReportedAttempt } from "#src/interactions/dispatch/settle-attempt.ts";
import type { DialRequest, DialResult } from "#src/telephony/carriers/carrier.ts";
import type { DialPlan } from "../../kit/carriers/fake-carrier.ts";
import { until, VonageHarness } from "../../kit/carriers/vonage-harness.ts";

const NEVER = new AbortController().signal;
const FROM = "+12025550199";
const ANSWERS: DialPlan["answer"][] = ["ACCEPT", "TIMEOUT", "ERROR", "THROTTLE", "INVALID", "CREDENTIALS"];
const WEBHOOKS: DialPlan["webhooks"][] = ["NORMAL", "TWICE", "REVERSED", "LATE", "LOST", "FORGED"];
const PERSONS: DialPlan["person"][] = ["BUSY", "HANGS_UP"];

/** Returns an attempt's state from the events so far, by the very code that reads them from the database. */
function reportedOf(harness: VonageHarness, attemptId: string): ReturnType<typeof readReportedAttempt> {
  const rows = harness.events.filter((event) => event.attemptId === attemptId).map((event) => ({ event }));
  return readReportedAttempt(
    { query: () => Promise.resolve({ rows }) } as unknown as Parameters<typeof readReportedAttempt>[0],
    attemptId,
  );
}

/** Waits for the answer no longer than until the call is placed. */
async function dialUntilPlaced(harness: VonageHarness, dial: DialRequest): Promise<DialResult> {
  const patience = new AbortController();
  const result = harness.account.carrier.dial(dial, patience.signal);
  await until(() => harness.vonage.placed.some(({ to }) => to === dial.to));
  patience.abort();
  return result;
}

/** Dials as the dispatcher does, and settles an uncertain dial until the call is over; returns how it ended. */
async function callOnce(harness: VonageHarness, to: string, isAnswered: boolean): Promise<string> {
  const { carrier } = harness.account;
  const attemptId = randomUUID();
  const base = { attemptId, workspaceId: "w", from: FROM, to };
  const dialledAt = new Date();
  const dial = { ...base, ringTimeoutSeconds: 30, eventsUrl: "" } as const;
  const result = await (isAnswered ? carrier.dial(dial, NEVER) : dialUntilPlaced(harness, dial));
  if (result.kind === "REFUSED") return result.then;
  let providerCallId = result.kind === "ACCEPTED" ? result.providerCallId : null;
  for (let i = 0; i < 600; i++) {
    const read = () => reportedOf(harness, attemptId);
    const settled: Settled = await reconcile(carrier, { ...base, dialledAt, providerCallId }, read, NEVER);
    if (settled.kind === "ENDED") return settled.event.outcome;
    if (settled.kind === "ABSENT" || settled.kind === "UNCONFIRMED") return settled.kind;
    ({ providerCallId } = settled);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "STILL LIVE";
}

test("whatever Vonage answers and however its webhooks come, everybody is rung once at most, and every end is known", async () => {
  await using harness = await VonageHarness.start();
  const cases = ANSWERS.flatMap((answer) =>
    WEBHOOKS.flatMap((webhooks) => PERSONS.map((person) => ({ answer, webhooks, person }))),
  ).map((plan, index) => ({ plan, to: `+1415555${2_000 + index}` }));
  for (const { plan, to } of cases) harness.vonage.plan(to, plan);
  const ended = await Promise.all(
    cases.map(async ({ plan, to }) => ({ ...plan, to, end: await callOnce(harness, to, plan.answer !== "TIMEOUT") })),
  );
  const refusals: Partial<Record<DialPlan["answer"], string>> = {
    THROTTLE: "REQUEUE",
    INVALID: "TERMINAL",
    CREDENTIALS: "REQUEUE",
  };
  for (const { answer, webhooks, person, to, end } of ended) {
    const what = `${answer} ${webhooks} ${person}`;
    expect(end, what).toBe(refusals[answer] ?? (person === "BUSY" ? "BUSY" : "ANSWERED"));
    const rung = harness.vonage.placed.filter((call) => call.to === to).length;
    expect(rung, what).toBe(refusals[answer] ? 0 : 1);
  }
  expect(harness.vonage.placed.length).toBe(36);
  expect(new Set(harness.vonage.placed.map(({ to }) => to)).size).toBe(36);
}, 120_000);
