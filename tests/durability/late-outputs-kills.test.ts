import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BYE } from "../kit/agent-harness.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { STREAMED_TURN, type TrialAnswer, TrialServer, wholeAnswer } from "../kit/model-vendors/trial-server.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";

/* The server is killed while it fills the outputs of a call that is over. */

type Json = Record<string, unknown>;

const PATIENCE = { timeout: 60_000, interval: 100 };
const JSON_TYPE = { "content-type": "application/json" };
const BUSY: TrialAnswer = { status: 500, body: '{"error":{"message":"busy"}}', headers: JSON_TYPE };
const FILLED: TrialAnswer = { body: wholeAnswer("OPENAI_COMPATIBLE", '{"note":"was there"}'), headers: JSON_TYPE };
const GOODBYE: TrialAnswer = {
  body: STREAMED_TURN.OPENAI_COMPATIBLE.replace("look_up", BYE.calls?.[0]?.name ?? ""),
};

let database: TestDatabase;
let server: ServerProcess;
let model: TrialServer;
let receiver: Receiver;
let key: string;
/** Answers to the task that fills late, in turn; a pending one keeps its request waiting. */
let lateAnswers: PromiseWithResolvers<TrialAnswer>[];
let lateRequests: number;

beforeAll(async () => {
  database = await createDatabase();
  server = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1" });
  model = await TrialServer.start();
  model.think = (body) => {
    if (body.stream === true) return GOODBYE;
    if (!JSON.stringify(body.messages).includes("You were the agent in the phone call that follows")) return BUSY;
    return (lateAnswers[lateRequests++] ?? Promise.withResolvers<TrialAnswer>()).promise;
  };
  await server.start();
  const made = await server.operator("workspace.create", { name: "Late", sample: true, sandboxSpeed: "instant" });
  key = String(made.apiKey);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await model[Symbol.asyncDispose]();
});
beforeEach(async () => {
  receiver = await Receiver.start();
  lateAnswers = [Promise.withResolvers(), Promise.withResolvers()];
  lateRequests = 0;
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function ask(method: string, path: string, body?: Json): Promise<Json> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return (await reply.json()) as Json;
}

/** Runs a job of one call that is over, and whose output its model could not fill; returns the row's id. */
async function endUnfilled(): Promise<string> {
  const own = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "gpt-4o", baseUrl: model.url };
  const modelId = (await ask("POST", "/models", own)).id;
  const schema = { type: "object", properties: { note: { type: "string" } } };
  const flow = await ask("POST", "/flows", {
    name: "x",
    firstMessage: "Good day.",
    model: { modelId },
    structuredOutputs: [{ name: "visit", schema }],
  });
  const job = await ask("POST", "/call-jobs", {
    rows: [{ customerNumber: "+12025550100" }],
    flowId: flow.id,
    completionWebhook: { url: receiver.url },
  });
  const rows = async () => (await ask("GET", `/call-jobs/${String(job.id)}/rows`)).content as Json[];
  await expect.poll(async () => (await rows())[0]?.endedAt, PATIENCE).toEqual(expect.any(String));
  const [row] = await rows();
  return String(row?.id);
}

const storedOf = async (rowId: string) =>
  (
    await database.query<{ note: string | null }>(
      "select extracted_fields->>'note' as note from call_results where row_id = $1",
      [rowId],
    )
  )[0]?.note;

/** Checks that the fields are stored, were announced once, and that the job's completion was sent once, after them. */
async function expectFilledOnce(rowId: string): Promise<void> {
  await expect.poll(() => storedOf(rowId), PATIENCE).toBe("was there");
  await receiver.waitFor(1, PATIENCE.timeout);
  const row = await ask("GET", `/call-rows/${rowId}`);
  expect(row).toMatchObject({ status: "COMPLETED", extractedFields: { note: "was there" } });
  expect(row.structuredOutputs).toMatchObject({ visit: { value: { note: "was there" }, valid: true } });
  expect(JSON.stringify(row.structuredOutputs)).not.toContain("pending");
  const events = "select 1 from events where type = 'call.outputs_filled' and subject_id = $1";
  expect(await database.query(events, [rowId])).toHaveLength(1);
  const tasks = "select status from tasks where kind = 'calls.fill_outputs' and subject_id = $1";
  for (const { status } of await database.query<{ status: string }>(tasks, [rowId])) expect(status).toBe("DONE");
  expect(receiver.received).toHaveLength(1);
}

test("killed while the model thinks, the task asks again after the restart and fills the fields once", async () => {
  const rowId = await endUnfilled();
  await expect.poll(() => lateRequests, PATIENCE).toBe(1);
  server.kill();
  await server.gone;
  expect(await storedOf(rowId)).toBeNull();
  lateAnswers[1]?.resolve(FILLED);
  await server.start();
  await expectFilledOnce(rowId);
  expect(lateRequests).toBe(2);
});

test("killed between the stored fields and the end of the task, it neither asks nor fills again", async () => {
  const rowId = await endUnfilled();
  await expect.poll(() => lateRequests, PATIENCE).toBe(1);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select 1 from tasks where kind = 'calls.fill_outputs' and subject_id = $1 for update", [rowId]);
  lateAnswers[0]?.resolve(FILLED);
  await expect.poll(() => storedOf(rowId), PATIENCE).toBe("was there");
  server.kill();
  await server.gone;
  // Statements that the killed server has already sent would run as soon as the row is free.
  await database.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await holder.end();
  const task = "select status from tasks where kind = 'calls.fill_outputs' and subject_id = $1";
  expect(await database.query(task, [rowId])).toEqual([{ status: "RUNNING" }]);
  await server.start();
  await expectFilledOnce(rowId);
  expect(lateRequests).toBe(1);
});

test("two that fill at the same time, one of them as a server that was paused, fill the fields once", async () => {
  const rowId = await endUnfilled();
  await expect.poll(() => lateRequests, PATIENCE).toBe(1);
  // The reaper of a dead server's tasks gives this one to the next node that claims.
  const freed =
    "update tasks set status = 'PENDING', lease_owner = null, due_at = now() where subject_id = $1 and kind = $2";
  await database.query(freed, [rowId, "calls.fill_outputs"]);
  await expect.poll(() => lateRequests, PATIENCE).toBe(2);
  lateAnswers[1]?.resolve(FILLED);
  await expect.poll(() => storedOf(rowId), PATIENCE).toBe("was there");
  const used = "select 1 from usage_entries where subject_id = $1 and kind = 'MODEL_INPUT_TOKEN'";
  const before = (await database.query(used, [rowId])).length;
  lateAnswers[0]?.resolve(FILLED);
  // The slower one's usage is recorded, and then it is done.
  await expect.poll(async () => (await database.query(used, [rowId])).length, PATIENCE).toBe(before + 1);
  await expectFilledOnce(rowId);
});
