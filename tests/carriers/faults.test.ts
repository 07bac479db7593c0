import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveHarness } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";

/* Unplanned events on a live carrier account. */

let harness: LiveHarness;
beforeAll(async () => {
  harness = await LiveHarness.open("TWILIO", await TwilioServer.start());
});
afterAll(() => harness[Symbol.asyncDispose]());

const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 30 };

/** Places a call that rings; returns its row, its attempt and Twilio's name for it. */
async function ring(): Promise<{ rowId: string; attemptId: string; callSid: string }> {
  const to = harness.newPerson();
  harness.fake.plan(to, { person: "NO_ANSWER", webhooks: "LOST" });
  const { rowId } = await harness.ask("POST", "/outbound/calls", { customerNumber: to, flow });
  const read = () =>
    harness.world.database.query<{ id: string }>("select id from call_attempts where row_id = $1", [rowId]);
  const [attempt] = await harness.until(read, () => harness.fake.placed.some((call) => call.to === to));
  const callSid = harness.fake.placed.find((call) => call.to === to)?.callId ?? "";
  return { rowId: String(rowId), attemptId: attempt?.id ?? "", callSid };
}

/** Posts a call report, signed as Twilio signs (carriers' documents, section 1.5). */
async function report(attemptId: string, form: Record<string, string>): Promise<number> {
  const url = `${harness.world.url}/api/webhooks/carriers/twilio/${harness.accountId}/calls/${attemptId}`;
  const text = Object.keys(form)
    .toSorted()
    .reduce((sum, name) => sum + name + form[name], url);
  const signature = createHmac("sha1", harness.fake.keys.authToken as string)
    .update(text)
    .digest("base64");
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature };
  return (await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) })).status;
}

test("a report that holds what no database stores is taken, and ends its call", async () => {
  const { rowId, attemptId, callSid } = await ring();
  const status = await report(attemptId, {
    AccountSid: harness.fake.keys.accountSid as string,
    CallSid: callSid,
    CallStatus: "busy",
    SequenceNumber: "2\u0000\ud800",
    Timestamp: "Sat, 13 Sep 275760 00:00:00 GMT",
  });
  expect(status).toBeLessThan(300);
  const row = await harness.until(
    () => harness.ask("GET", `/call-rows/${rowId}`),
    ({ endedAt }) => endedAt !== null,
  );
  expect(row).toMatchObject({ outcome: "BUSY" });
});

test("rows of an account whose turn is far off are left where they are, with no attempt for each", async () => {
  const { database } = harness.world;
  await database.query("update carrier_accounts set next_dial_at = now() + interval '1 hour'");
  const rows = Array.from({ length: 40 }, () => ({ customerNumber: harness.newPerson() }));
  for (const { customerNumber } of rows) harness.fake.plan(customerNumber, { person: "BUSY" });
  const job = await harness.ask("POST", "/call-jobs", { flow, rows, retryConfig: { maxAttempts: 1 } });
  // The dispatcher serves other calls meanwhile, so it has looked at these rows too.
  const { sample } = harness.world;
  const other = await harness.world.request("POST", "/outbound/calls", {
    body: { customerNumber: "+12025550101", flowId: sample.flow.id },
  });
  await harness.until(
    async () => (await harness.world.request("GET", `/call-rows/${String(other.body.rowId)}`)).body,
    ({ endedAt }) => endedAt !== null,
  );
  const tried =
    "select count(*)::int as n from call_attempts a join call_rows r on r.id = a.row_id where r.job_id = $1";
  expect(await database.query(tried, [job.id])).toEqual([{ n: 0 }]);
  await database.query("update carrier_accounts set next_dial_at = now()");
  await harness.until(
    () => harness.ask("GET", `/call-jobs/${String(job.id)}`),
    ({ status }) => status === "COMPLETED",
  );
  // An attempt whose turn a busy machine missed rang nobody, and is followed by another.
  const people = new Set(rows.map(({ customerNumber }) => customerNumber));
  expect(harness.fake.placed.filter(({ to }) => people.has(to))).toHaveLength(40);
});
