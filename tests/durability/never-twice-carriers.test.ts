import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_CARRIER } from "../kit/carriers/every-carrier.ts";
import type { DialPlan } from "../kit/carriers/fake-carrier.ts";
import { LiveHarness } from "../kit/carriers/live-harness.ts";

/* The never-twice protocol with each carrier's adapter, against a server that speaks its protocol and has its own ledger. */

const OUTCOMES: Record<DialPlan["person"], string> = {
  PICKS_UP: "ANSWERED",
  HANGS_UP: "ANSWERED",
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
};
const ANSWERS = ["ACCEPT", "TIMEOUT", "ERROR"] as const;
const WEBHOOKS = ["NORMAL", "TWICE", "REVERSED", "LATE", "LOST", "FORGED"] as const;
const PEOPLE = ["BUSY", "NO_ANSWER", "HANGS_UP"] as const;

describe.each(EVERY_CARRIER)("%s", (provider, start) => {
  let harness: LiveHarness;
  beforeAll(async () => {
    harness = await LiveHarness.open(provider, await start());
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  const placedTo = (to: string) => harness.fake.placed.filter((call) => call.to === to).length;

  test(
    "whatever becomes of answers and webhooks, nobody is rung twice and every row ends",
    { timeout: 200_000 },
    async () => {
      const plans = ANSWERS.flatMap((answer) =>
        WEBHOOKS.flatMap((webhooks) => PEOPLE.map((person) => ({ answer, webhooks, person }))),
      );
      const planOf = new Map(plans.map((plan) => [harness.newPerson(), plan]));
      for (const [to, plan] of planOf) harness.fake.plan(to, plan);
      const rows = await harness.callAll([...planOf.keys()]);
      expect(rows).toHaveLength(plans.length);
      for (const row of rows) {
        const to = String(row.customerNumber);
        const plan = planOf.get(to) as DialPlan;
        const what = `${JSON.stringify(plan)} ${JSON.stringify({ status: row.status, outcome: row.outcome, error: row.error })}`;
        expect(placedTo(to), what).toBe(1);
        expect(["COMPLETED", "FAILED", "UNCONFIRMED"], what).toContain(row.status);
        const isHeardOf = plan.webhooks !== "LOST" && plan.webhooks !== "FORGED" && plan.person !== "HANGS_UP";
        expect(isHeardOf ? row.outcome : OUTCOMES[plan.person], what).toBe(OUTCOMES[plan.person]);
      }
      expect(await harness.readNumber()).toMatchObject({ currentActiveCalls: 0, status: "ACTIVE" });
    },
  );

  test("a retry is a call of its own, and each attempt rings once", async () => {
    const people = Array.from({ length: 5 }, () => harness.newPerson());
    for (const to of people) harness.fake.plan(to, { person: "BUSY" });
    const rows = await harness.callAll(people, {
      maxAttempts: 2,
      retryOn: ["BUSY"],
      delaysSeconds: [1],
      jitterPercent: 0,
    });
    for (const row of rows) {
      expect(row).toMatchObject({ status: "FAILED", outcome: "BUSY" });
      // One that was put off before anything left is listed too, as ABSENT or REFUSED.
      const rung = (row.attempts as { state: string }[]).filter(({ state }) => state === "ENDED");
      expect(rung).toHaveLength(2);
      expect(placedTo(String(row.customerNumber))).toBe(2);
    }
  });

  test("a number that does not exist is refused, and nobody else is the worse for it", async () => {
    const to = harness.newPerson();
    harness.fake.plan(to, { answer: "INVALID" });
    const [row] = await harness.callAll([to]);
    expect(row).toMatchObject({ status: "FAILED", outcome: "INVALID_NUMBER" });
    expect(row?.error).toMatchObject({ message: expect.stringMatching(/.{10}/) as string });
    expect(placedTo(to)).toBe(0);
    expect(await harness.readNumber()).toMatchObject({ status: "ACTIVE" });
  });

  test("somebody picks up: both hear each other over the carrier's media socket", async () => {
    const to = harness.newPerson();
    harness.fake.plan(to, { person: "PICKS_UP" });
    const [row] = await harness.callAll([to]);
    expect(row).toMatchObject({ answeredBy: expect.any(String) as string });
    const texts = ((row?.transcript ?? []) as { content: string }[]).map(({ content }) => content);
    expect(texts[0]).toBe("Hello.");
    expect(placedTo(to)).toBe(1);
  });

  test("wrong keys stop the account and its numbers; rows wait, and go on when the keys are mended", async () => {
    const to = harness.newPerson();
    harness.fake.plan(to, { answer: "CREDENTIALS" });
    const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 10 };
    const job = await harness.ask("POST", "/call-jobs", {
      flow,
      rows: [{ customerNumber: to }],
      retryConfig: { maxAttempts: 1 },
    });
    const stopped = await harness.until(
      () => harness.readNumber(),
      ({ status }) => status === "SUSPENDED",
    );
    expect(stopped).toMatchObject({ suspendedBy: "CARRIER", statusMessage: expect.stringMatching(/\w{3}/) as string });
    const path = `/call-jobs/${String(job.id)}`;
    const readRow = async () => ((await harness.ask("GET", `${path}/rows`)).content as Record<string, unknown>[])[0];
    const row = await harness.until(readRow, (one) => one?.status === "QUEUED");
    expect(row).toMatchObject({ error: { message: expect.any(String) as string } });
    harness.fake.plan(to, { answer: "ACCEPT", person: "BUSY" });
    await harness.world.operator("carrier.check", { id: harness.accountId });
    await harness.until(
      () => harness.ask("GET", path),
      ({ status }) => status === "COMPLETED",
    );
    expect(placedTo(to)).toBe(1);
    expect(await harness.readNumber()).toMatchObject({ status: "ACTIVE" });
  });
});
