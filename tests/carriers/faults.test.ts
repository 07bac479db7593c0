import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveDesk } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";

/* What a live carrier account goes through that nobody planned. */

let desk: LiveDesk;
beforeAll(async () => {
  desk = await LiveDesk.open("TWILIO", await TwilioServer.start());
});
afterAll(() => desk[Symbol.asyncDispose]());

const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 30 };

/** A call that rings; gives its row, its attempt and how Twilio names it. */
async function ring(): Promise<{ rowId: string; attemptId: string; callSid: string }> {
  const to = desk.newPerson();
  desk.fake.plan(to, { person: "NO_ANSWER", webhooks: "LOST" });
  const { rowId } = await desk.ask("POST", "/outbound/calls", { customerNumber: to, flow });
  const read = () =>
    desk.world.database.query<{ id: string }>("select id from call_attempts where row_id = $1", [rowId]);
  const [attempt] = await desk.until(read, () => desk.fake.placed.some((call) => call.to === to));
  const callSid = desk.fake.placed.find((call) => call.to === to)?.callId ?? "";
  return { rowId: String(rowId), attemptId: attempt?.id ?? "", callSid };
}

/** What Twilio reports of a call, signed as Twilio signs (carriers' documents, section 1.5). */
async function report(attemptId: string, form: Record<string, string>): Promise<number> {
  const url = `${desk.world.url}/api/webhooks/carriers/twilio/${desk.accountId}/calls/${attemptId}`;
  const text = Object.keys(form)
    .toSorted()
    .reduce((sum, name) => sum + name + form[name], url);
  const signature = createHmac("sha1", desk.fake.keys.authToken as string)
    .update(text)
    .digest("base64");
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature };
  return (await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) })).status;
}

test("a report that holds what no database stores is taken, and ends its call", async () => {
  const { rowId, attemptId, callSid } = await ring();
  const status = await report(attemptId, {
    AccountSid: desk.fake.keys.accountSid as string,
    CallSid: callSid,
    CallStatus: "busy",
    SequenceNumber: "2\u0000\ud800",
    Timestamp: "Sat, 13 Sep 275760 00:00:00 GMT",
  });
  expect(status).toBeLessThan(300);
  const row = await desk.until(
    () => desk.ask("GET", `/call-rows/${rowId}`),
    ({ endedAt }) => endedAt !== null,
  );
  expect(row).toMatchObject({ outcome: "BUSY" });
});

test("rows of an account whose turn is far off are left where they are, with no attempt for each", async () => {
  const { database } = desk.world;
  await database.query("update carrier_accounts set next_dial_at = now() + interval '1 hour'");
  const rows = Array.from({ length: 40 }, () => ({ customerNumber: desk.newPerson() }));
  for (const { customerNumber } of rows) desk.fake.plan(customerNumber, { person: "BUSY" });
  const job = await desk.ask("POST", "/call-jobs", { flow, rows, retryConfig: { maxAttempts: 1 } });
  // The dispatcher serves others meanwhile, so it has looked at these rows too.
  const { sample } = desk.world;
  const other = await desk.world.request("POST", "/outbound/calls", {
    body: { customerNumber: "+12025550101", flowId: sample.flow.id },
  });
  await desk.until(
    async () => (await desk.world.request("GET", `/call-rows/${String(other.body.rowId)}`)).body,
    ({ endedAt }) => endedAt !== null,
  );
  const tried =
    "select count(*)::int as n from call_attempts a join call_rows r on r.id = a.row_id where r.job_id = $1";
  expect(await database.query(tried, [job.id])).toEqual([{ n: 0 }]);
  await database.query("update carrier_accounts set next_dial_at = now()");
  await desk.until(
    () => desk.ask("GET", `/call-jobs/${String(job.id)}`),
    ({ status }) => status === "COMPLETED",
  );
  expect(await database.query(tried, [job.id])).toEqual([{ n: 40 }]);
});
