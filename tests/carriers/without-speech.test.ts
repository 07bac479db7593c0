import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveDesk } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";

/* A server that can neither hear nor speak rings nobody. */

let desk: LiveDesk;
beforeAll(async () => {
  // Local engines are programs on the PATH.
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    desk = await LiveDesk.open("TWILIO", await TwilioServer.start(), {});
  } finally {
    process.env.PATH = PATH;
  }
});
afterAll(() => desk[Symbol.asyncDispose]());

test("a call waits, and its row tells what to set", async () => {
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello." };
  const { rowId } = await desk.ask("POST", "/outbound/calls", { customerNumber: desk.newPerson(), flow });
  const readRow = () => desk.ask("GET", `/call-rows/${String(rowId)}`);
  const row = await desk.until(readRow, ({ error }) => error !== null);
  expect(row).toMatchObject({ status: "QUEUED", error: { code: "SPEECH_NOT_CONFIGURED" } });
  expect(JSON.stringify(row.error)).toContain("speech to text");
  expect(desk.fake.placed).toEqual([]);
});

test("a call that comes in is turned away rather than answered in silence", async () => {
  await desk.fake.callIn(desk.newPerson(), desk.phoneNumber.number);
  const readEvents = () => desk.world.database.query("select data from events where type = 'call.declined'");
  const [event] = await desk.until(readEvents, (rows) => rows.length > 0);
  expect(event).toMatchObject({ data: { reason: "SERVER_BUSY" } });
});

test("a call goes out when its workspace has an account of its own", async () => {
  await desk.world.database.query(
    `insert into speech_accounts (workspace_id, provider, base_url, hears, speaks)
     values ($1, 'OPENAI_COMPATIBLE', 'http://127.0.0.1:9/v1', true, true)`,
    [desk.workspaceId],
  );
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello." };
  const customerNumber = desk.newPerson();
  await desk.ask("POST", "/outbound/calls", { customerNumber, flow });
  const readPlaced = async () => desk.fake.placed.map((call) => JSON.stringify(call));
  const [placed] = await desk.until(readPlaced, (calls) => calls.length > 0);
  expect(placed).toContain(customerNumber);
});
