import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveHarness } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";

/* A server that can neither hear nor speak rings nobody. */

let harness: LiveHarness;
beforeAll(async () => {
  // Local engines are programs on the PATH.
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    harness = await LiveHarness.open("TWILIO", await TwilioServer.start(), {});
  } finally {
    process.env.PATH = PATH;
  }
});
afterAll(() => harness[Symbol.asyncDispose]());

test("a call waits, and its row tells what to set", async () => {
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello." };
  const { rowId } = await harness.ask("POST", "/outbound/calls", { customerNumber: harness.newPerson(), flow });
  const readRow = () => harness.ask("GET", `/call-rows/${String(rowId)}`);
  const row = await harness.until(readRow, ({ error }) => error !== null);
  expect(row).toMatchObject({ status: "QUEUED", error: { code: "SPEECH_NOT_CONFIGURED" } });
  expect(JSON.stringify(row.error)).toContain("speech to text");
  expect(harness.fake.placed).toEqual([]);
  expect(await harness.world.database.query("select 1 from call_attempts where row_id = $1", [rowId])).toEqual([]);
});

test("a call that comes in is turned away rather than answered in silence", async () => {
  await harness.fake.callIn(harness.newPerson(), harness.phoneNumber.number);
  const readEvents = () => harness.world.database.query("select data from events where type = 'call.declined'");
  const [event] = await harness.until(readEvents, (rows) => rows.length > 0);
  expect(event).toMatchObject({ data: { reason: "SERVER_BUSY" } });
});

test("a call goes out when its workspace has an account of its own", async () => {
  await harness.world.database.query(
    `insert into speech_accounts (workspace_id, provider, base_url, hears, speaks)
     values ($1, 'OPENAI_COMPATIBLE', 'http://127.0.0.1:9/v1', true, true)`,
    [harness.workspaceId],
  );
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello." };
  const customerNumber = harness.newPerson();
  await harness.ask("POST", "/outbound/calls", { customerNumber, flow });
  const readPlaced = async () => harness.fake.placed.map((call) => JSON.stringify(call));
  const [placed] = await harness.until(readPlaced, (calls) => calls.length > 0);
  expect(placed).toContain(customerNumber);
});
