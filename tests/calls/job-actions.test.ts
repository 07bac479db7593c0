import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetConversations } from "#src/interactions/contacts/forget.ts";
import { SecondNode } from "../kit/second-node.ts";
import { type TestReply, World } from "../kit/world.ts";

/* The actions that a job's reply offers, compared with what the requests accept, in every state. */

let world: World;
beforeAll(async () => {
  // Nothing is dialled and no file is read, so a job stays in its state.
  world = await World.start({ roles: ["api"] });
});
afterAll(() => world[Symbol.asyncDispose]());

const ROWS = { rows: [{ customerNumber: "+12025550103" }] };

const REQUESTS: Record<string, (path: string) => Promise<TestReply>> = {
  pause: (path) => world.request("POST", `${path}/pause`),
  resume: (path) => world.request("POST", `${path}/resume`),
  cancel: (path) => world.request("POST", `${path}/cancel`),
  change: (path) => world.request("PATCH", path, { body: { name: "Renamed" } }),
  changeDialling: (path) => world.request("PATCH", path, { body: { maxConcurrency: 5 } }),
  addRows: (path) => world.request("POST", `${path}/rows`, { body: ROWS }),
  retryFailed: (path) => world.request("POST", `${path}/retry-failed`),
};

const RUNNING = ["pause", "cancel", "change", "changeDialling", "addRows", "retryFailed"];
const OFFERED: Record<string, string[]> = {
  IMPORTING: ["cancel", "change"],
  SCHEDULED: RUNNING,
  RUNNING,
  PAUSED: ["resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"],
  CANCELLING: ["change"],
  COMPLETED: ["addRows", "retryFailed"],
  CANCELLED: [],
  FAILED: [],
};
/** Requests that change nothing because the job is there already. */
const REPEATS = new Set([
  "PAUSED pause",
  "RUNNING resume",
  "SCHEDULED resume",
  "CANCELLING cancel",
  "CANCELLED cancel",
]);

/** Makes a job and puts it into a state. */
async function jobIn(status: string): Promise<string> {
  const startAt = status === "SCHEDULED" ? new Date(Date.now() + 3_600_000).toISOString() : null;
  const body = { rows: [{ customerNumber: "+12025550100" }], startAt };
  const made = await world.request("POST", "/call-jobs", { body });
  expect(made.status, made.text).toBe(200);
  if (status !== "SCHEDULED")
    await world.database.query("update call_jobs set status = $2 where id = $1", [made.body.id, status]);
  return `/call-jobs/${String(made.body.id)}`;
}

test.each(Object.keys(OFFERED))("a job that is %s takes the actions that it offers, and no other", async (status) => {
  for (const [action, send] of Object.entries(REQUESTS)) {
    const path = await jobIn(status);
    const before = (await world.request("GET", path)).body;
    expect(before).toMatchObject({ status, actions: OFFERED[status] });
    const reply = await send(path);
    const after = (await world.request("GET", path)).body;
    const isOffered = (before.actions as string[]).includes(action);
    const isTaken = isOffered || REPEATS.has(`${status} ${action}`);
    expect([action, reply.status], reply.text).toEqual([action, isTaken ? 200 : 409]);
    expect(isTaken ? reply.body.actions : before.actions).toEqual(after.actions);
    // An action that is not offered changes nothing, repeat or not.
    expect(isOffered ? before : after).toEqual(before);
  }
});

test("a list of jobs offers what each job does", async () => {
  await jobIn("PAUSED");
  const { content } = (await world.request("GET", "/call-jobs?size=200")).body as { content: TestReply["body"][] };
  expect(content.length).toBeGreaterThan(0);
  for (const { status, actions } of content) expect([status, actions]).toEqual([status, OFFERED[String(status)]]);
});

test("failed rows are put back, and rows are added, only while one of the job's numbers is ACTIVE", async () => {
  const path = await jobIn("COMPLETED");
  const fail = "update call_rows set status = 'FAILED', outcome = 'BUSY', ended_at = now() where job_id = $1";
  await world.database.query(fail, [path.split("/").at(-1)]);
  const before = (await world.request("GET", path)).body;
  const set = async (status: string) => {
    const [number] = (await world.request("GET", "/phone-numbers")).body as unknown as { id: string }[];
    const changed = await world.request("PUT", `/phone-numbers/${String(number?.id)}`, { body: { status } });
    expect(changed.status, changed.text).toBe(200);
  };
  await set("SUSPENDED");
  for (const action of ["retryFailed", "addRows"]) {
    const refused = await REQUESTS[action]?.(path);
    expect([action, refused?.status, refused?.text]).toEqual([
      action,
      409,
      expect.stringContaining("ACTIVE") as string,
    ]);
  }
  expect((await world.request("GET", path)).body).toEqual(before);
  await set("ACTIVE");
  expect((await world.request("POST", `${path}/retry-failed`)).body).toMatchObject({ retriedRows: 1, run: 2 });
});

test("a PATCH refuses what it cannot change, instead of answering as if it had; the same values may be sent back", async () => {
  const path = await jobIn("SCHEDULED");
  const patch = (body: object) => world.request("PATCH", path, { body });
  const job = (await world.request("GET", path)).body;
  const sentBack = await patch({ ...job, name: "Sent back", status: "RUNNING", before: job });
  expect(sentBack.body).toMatchObject({ name: "Sent back", status: "SCHEDULED" });
  const sameMoment = String(job.startAt).replace("Z", "+00:00");
  expect((await patch({ startAt: sameMoment })).body).toMatchObject({ startAt: job.startAt });
  const wanted = { startAt: null, fromPhoneNumbers: ["+12025550191"], flowApiId: "other", status: "PAUSED" };
  for (const [field, value] of Object.entries(wanted)) {
    const { status, text, body } = await patch({ name: "No", [field]: value });
    expect([status, body.details], text).toMatchObject([422, [{ path: field, code: "NOT_CHANGEABLE" }]]);
  }
  expect((await world.request("GET", path)).body).toMatchObject({ name: "Sent back", startAt: job.startAt });
});

test("the summary counts every row that waits for another attempt, as the job does, also before a calling window", async () => {
  const rows = ["10", "11", "12"].map((end) => ({ customerNumber: `+120255501${end}` }));
  const { id } = (await world.request("POST", "/call-jobs", { body: { rows } })).body;
  // One waits for its time, one for its window, and the third for the window before its first attempt.
  await world.database.query(
    `update call_rows set due_at = date_trunc('day', now()) + interval '2 days',
            window_opens_at = case when customer_number like '%110' then null else date_trunc('day', now()) + interval '2 days' end,
            status = case when customer_number like '%112' then 'QUEUED' else 'WAITING_FOR_RETRY' end,
            attempts_made = case when customer_number like '%112' then 0 else 1 end
      where job_id = $1`,
    [id],
  );
  const path = `/call-jobs/${String(id)}`;
  expect((await world.request("GET", path)).body).toMatchObject({ waitingForRetryRows: 2 });
  const { body } = await world.request("GET", `${path}/summary`);
  expect(body).toMatchObject({ retries: [{ attempt: 2, count: 2 }] });
  expect(body.statuses).toEqual(
    expect.arrayContaining([
      { status: "WAITING_FOR_WINDOW", count: 2 },
      { status: "WAITING_FOR_RETRY", count: 1 },
    ]),
  );
});

test("a row whose variables the retention deleted is not dialled again, because the agent would greet nobody by name", async () => {
  const rows = [
    { customerNumber: "+12025550110", rowData: { date: "Monday" } },
    { customerNumber: "+12025550111", rowData: { date: "Friday" } },
    { customerNumber: "+12025550112" },
  ];
  const { id } = (await world.request("POST", "/call-jobs", { body: { rows } })).body;
  // Of two months ago; only the second has had no time to be forgotten.
  await world.database.query(
    `with job as (update call_jobs set status = 'COMPLETED' where id = $1)
     update call_rows set status = 'FAILED', outcome = 'BUSY',
            ended_at = now() - case when customer_number like '%111' then interval '1 day' else interval '60 days' end
      where job_id = $1`,
    [id],
  );
  const retain = (days: number | null) =>
    world.database.query("update workspaces set conversation_retention_days = $1 where id = $2", [
      days,
      world.sample.workspaceId,
    ]);
  await retain(30);
  await using node = await SecondNode.join(world);
  expect(await forgetConversations(node.database)).toBe(1);
  // What was deleted stays deleted when the retention is lifted.
  await retain(null);
  const retried = await world.request("POST", `/call-jobs/${String(id)}/retry-failed`);
  expect(retried.body, retried.text).toMatchObject({ retriedRows: 2 });
  const { content } = (await world.request("GET", `/call-jobs/${String(id)}/rows`)).body as {
    content: { customerNumber: string; status: string }[];
  };
  expect(Object.fromEntries(content.map(({ customerNumber, status }) => [customerNumber, status]))).toEqual({
    "+12025550110": "FAILED",
    "+12025550111": "QUEUED",
    "+12025550112": "QUEUED",
  });
});
