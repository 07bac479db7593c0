import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveHarness } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";

/* What anybody may send to the addresses at which carriers report. */

let harness: LiveHarness;
beforeAll(async () => {
  harness = await LiveHarness.open("TWILIO", await TwilioServer.start());
});
afterAll(() => harness[Symbol.asyncDispose]());

type Form = Record<string, string>;

/** Twilio's signature of a form (carriers' documents, section 1.5): URL, then names and values in the order of names. */
function sign(token: string, url: string, form: Form): string {
  const text = Object.keys(form)
    .toSorted()
    .reduce((sum, name) => sum + name + form[name], url);
  return createHmac("sha1", token).update(text).digest("base64");
}

async function post(accountId: string, token: string, path: string, form: Form): Promise<number> {
  const url = `${harness.world.url}/api/webhooks/carriers/twilio/${accountId}/${path}`;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": sign(token, url, form),
  };
  const reply = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
  return reply.status;
}

/** A call that rings; gives its attempt and how Twilio names it. */
async function ring(): Promise<{ rowId: string; attemptId: string; callSid: string }> {
  const to = harness.newPerson();
  harness.fake.plan(to, { person: "NO_ANSWER", webhooks: "LOST" });
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 30 };
  const { rowId } = await harness.ask("POST", "/outbound/calls", { customerNumber: to, flow });
  const read = () => harness.world.database.query(`select id from call_attempts where row_id = '${String(rowId)}'`);
  const [attempt] = await harness.until(
    read,
    (rows) => rows.length === 1 && harness.fake.placed.some((call) => call.to === to),
  );
  const callSid = harness.fake.placed.find((call) => call.to === to)?.callId ?? "";
  return { rowId: String(rowId), attemptId: String((attempt as { id: string }).id), callSid };
}

const statusOf = (callSid: string, to = "+14155550000"): Form => ({
  AccountSid: harness.fake.keys.accountSid as string,
  ApiVersion: "2010-04-01",
  CallSid: callSid,
  CallStatus: "busy",
  CallbackSource: "call-progress-events",
  Direction: "outbound-api",
  From: harness.phoneNumber.number,
  SequenceNumber: "2",
  Timestamp: new Date().toUTCString(),
  To: to,
});

const readRow = (rowId: string) => harness.ask("GET", `/call-rows/${rowId}`);

test("an event is believed when the account's own key signed it, and no other", async () => {
  const { rowId, attemptId, callSid } = await ring();
  const token = harness.fake.keys.authToken as string;
  const path = `calls/${attemptId}`;
  expect(await post(harness.accountId, "another token", path, statusOf(callSid))).toBe(403);
  expect(await post("0190a0b0-0000-7000-8000-000000000001", token, path, statusOf(callSid))).toBe(404);
  expect((await readRow(rowId)).status).not.toBe("FAILED");
  expect(await post(harness.accountId, token, path, statusOf(callSid))).toBeLessThan(300);
  const row = await harness.until(
    () => readRow(rowId),
    ({ status }) => status === "FAILED",
  );
  expect(row).toMatchObject({ outcome: "BUSY" });
});

test("a workspace that signs with its own key cannot speak of another's calls", async () => {
  const { rowId, attemptId, callSid } = await ring();
  const other = await harness.world.operator("workspace.create", { name: "Other", mode: "LIVE" });
  const keys = { ...(await harness.keys()), workspaceId: other.workspaceId };
  const account = await harness.world.operator("carrier.add", keys);
  const token = harness.fake.keys.authToken as string;
  // It is acknowledged like everything nobody asked for, and changes nothing.
  expect(await post(String(account.id), token, `calls/${attemptId}`, statusOf(callSid))).toBeLessThan(300);
  const events = await harness.world.database.query(
    `select type from carrier_events where attempt_id = '${attemptId}'`,
  );
  expect(events.filter(({ type }) => type === "ENDED")).toEqual([]);
  expect((await readRow(rowId)).status).not.toBe("FAILED");
});

test("what makes no sense is a 4xx, whatever it is", async () => {
  const token = harness.fake.keys.authToken as string;
  const base = `${harness.world.url}/api/webhooks/carriers`;
  for (const path of ["twilio/x/calls", "nobody/x/y", `sandbox/${harness.accountId}/calls`]) {
    const reply = await fetch(`${base}/${path}`, { method: "POST", body: "a=b" });
    expect([400, 403, 404, 422], path).toContain(reply.status);
  }
  for (const path of ["", "calls", "calls/not-an-id", "messages", "nothing/of/ours", "calls/%00"]) {
    const status = await post(harness.accountId, token, path, { a: "b" });
    expect(status, path).toBeLessThan(500);
  }
  const huge = await fetch(`${base}/twilio/${harness.accountId}/calls`, { method: "POST", body: "a".repeat(300_000) });
  expect(huge.status).toBe(413);
  const binary = await fetch(`${base}/twilio/${harness.accountId}/messages`, {
    method: "POST",
    headers: { "x-twilio-signature": "=" },
    body: Buffer.from([0, 255, 254, 128]),
  });
  expect(binary.status).toBe(403);
});
