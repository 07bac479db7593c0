import { afterAll, beforeAll, expect, test } from "vitest";
import { CANCEL_TASK, createCancelTask } from "#src/interactions/call-jobs/cancel-task.ts";
import { createRetryTask, RETRY_TASK } from "#src/interactions/call-jobs/retry-task.ts";
import { requeueFailed } from "#src/interactions/call-jobs/run-store.ts";
import { createWaitsTask, WAITS_TASK } from "#src/interactions/calls/end-waits.ts";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { type CallEnd, Finisher } from "#src/interactions/dispatch/finish.ts";
import { type Database, sql } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { costOf } from "../kit/read-costs.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

const WAITING = 11_000;
const NUMBER = "+442079460160";
const END: CallEnd = { status: "FAILED", retryMs: null, outcome: "BUSY", endReason: null, attemptState: "ENDED" };

/** A world that neither claims nor runs tasks. */
let world: World;
let second: SecondNode;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  second = await SecondNode.join(world);
  await send("POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber: NUMBER });
  // The planner knows nothing of the rows, as in the first seconds after an import into a new server.
  await world.database.query("alter table call_rows set (autovacuum_enabled = false)");
  await world.database.query("create table changes (rows int)");
  await world.database.query(
    `create function note_change() returns trigger language plpgsql as
     'begin insert into changes select count(*) from now_so; return null; end'`,
  );
  await world.database.query(
    `create trigger note_change after update on call_rows referencing new table as now_so for each statement
     execute function note_change()`,
  );
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

type Body = { [name: string]: unknown };

async function send(method: string, path: string, body?: Body): Promise<Body> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

let persons = 0;
async function makeJob(): Promise<string> {
  const rows = [{ customerNumber: `+1202555${String(100 + persons++).padStart(4, "0")}` }];
  return String((await send("POST", "/call-jobs", { rows, fromPhoneNumbers: [NUMBER] })).id);
}

/** Makes a job with a live call and very many rows that wait. */
async function makeLargeJob() {
  const job = await makeJob();
  const live = await claim();
  await world.database.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                            phone_number_id, due_at)
     select workspace_id, gen_random_uuid(), job_id, gen_random_uuid(), 'QUEUED', '+1415' || (2000000 + i), 'US', 'UNKNOWN',
            phone_number_id, now() + interval '1 hour'
       from call_rows, generate_series(1, ${WAITING}) i where job_id = $1`,
    [job],
  );
  await world.database.query("update call_jobs set total_rows = $2 where id = $1", [job, WAITING + 1]);
  return { job, live };
}

const claim = () => claimRows(second.database.pool, second.node.id, 50, 50);

async function finish(rows: Awaited<ReturnType<typeof claim>>): Promise<void> {
  const finisher = new Finisher(second.database.pool, second.node, () => undefined);
  await Promise.all(rows.map((row) => finisher.finish(row, END, true)));
}

async function readTask(kind: string, subject: string): Promise<Task> {
  const [task] = await world.database.query<Task>(
    `select id, workspace_id as "workspaceId", subject_id as "subjectId", payload, 1 as attempt, created_at as "createdAt"
       from tasks where kind = $1 and subject_id = $2 order by id desc limit 1`,
    [kind, subject],
  );
  return task as Task;
}

/** Runs a task until a number of its transactions have ended. */
async function run(
  task: Task,
  transactions = Number.POSITIVE_INFINITY,
  createTask: (database: Database) => TaskHandler = createCancelTask,
): Promise<TaskEnd> {
  const controller = new AbortController();
  const { db } = second.database;
  let left = transactions;
  const counted = {
    transaction: () => ({
      execute: async (work: Parameters<ReturnType<typeof db.transaction>["execute"]>[0]) => {
        const result = await db.transaction().execute(work);
        if (--left <= 0) controller.abort();
        return result;
      },
    }),
  };
  return createTask({ ...second.database, db: counted as unknown as typeof db })(task, controller.signal);
}

async function read(job: string) {
  const [rows] = await world.database.query(
    `select count(*)::int as cancelled, count(distinct ended_at)::int as ends from call_rows where job_id = $1 and status = 'CANCELLED'`,
    [job],
  );
  const events = await world.database.query(
    `select type, (select count(*)::int from call_rows r where r.job_id = e.subject_id and r.ended_at = e.created_at) as rows
       from events e where subject_id = $1 and type <> 'call_job.created' order by id`,
    [job],
  );
  return { rows, events };
}

const CANCELLED = { type: "call_job.rows_cancelled", rows: WAITING };

test("the cancel of a job with very many rows holds up no call of its numbers", async () => {
  const { job, live } = await makeLargeJob();
  await makeJob();
  const others = await claim();
  expect(others).toHaveLength(1);
  const client = await world.database.pool().connect();
  await client.query("begin");
  await client.query("select id from call_rows where job_id = $1 order by id desc limit 2 for update", [job]);
  expect(await send("POST", `/call-jobs/${job}/cancel`)).toMatchObject({ status: "CANCELLING", completedAt: null });
  await finish(others);
  await client.query("commit");
  client.release();
  expect(await claim()).toEqual([]);
  expect(await run(await readTask(CANCEL_TASK, job))).toEqual({ kind: "DONE" });
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject({ status: "CANCELLING", processedRows: WAITING });
  await finish(live);
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject({ status: "CANCELLED", processedRows: WAITING + 1 });
  expect(await read(job)).toMatchObject({
    rows: { cancelled: WAITING, ends: 1 },
    events: [CANCELLED, { type: "call_job.completed" }],
  });
});

test("a cancel that is cut off again and again ends each row once, and announces them once", async () => {
  const { job, live } = await makeLargeJob();
  await finish(live);
  await send("POST", `/call-jobs/${job}/cancel`);
  await send("POST", `/call-jobs/${job}/cancel`);
  const task = await readTask(CANCEL_TASK, job);
  expect(await run(task, 1)).toEqual({ kind: "LATER", afterMs: 0 });
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject({ status: "CANCELLING" });
  // Its end was not stored before the process died.
  for (let i = 0; i < 2; i++) expect(await run(task)).toEqual({ kind: "DONE" });
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject({
    status: "CANCELLED",
    processedRows: WAITING + 1,
    errorRows: WAITING + 1,
  });
  expect(await read(job)).toMatchObject({
    rows: { cancelled: WAITING, ends: 1 },
    events: expect.arrayContaining([
      CANCELLED,
      expect.objectContaining({ type: "call_job.completed" }) as unknown,
    ]) as unknown,
  });
  expect((await read(job)).events).toHaveLength(2);
});

const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/** Makes a job of which very many rows wait for a window, or for what `error` says, in a lane that rests. */
async function makeWaitingJob(error: object | null = null): Promise<string> {
  const { job, live } = await makeLargeJob();
  await finish(live);
  await world.database.query(
    "update call_rows set window_opens_at = due_at, error = $2 where job_id = $1 and ended_at is null",
    [job, error],
  );
  await world.database.query("update lanes set next_look_at = 'infinity' where job_id = $1", [job]);
  return job;
}

/** Holds the two last rows of a job while `work` runs. */
async function withLockedRows(job: string, work: () => Promise<void>): Promise<void> {
  const client = await world.database.pool().connect();
  await client.query("begin");
  await client.query("select id from call_rows where job_id = $1 order by id desc limit 2 for update", [job]);
  try {
    await work();
  } finally {
    await client.query("commit");
    client.release();
  }
}

/** Returns the most rows that a statement changed while `work` ran. */
async function readMostChanged(work: () => Promise<unknown>): Promise<number> {
  await world.database.query("truncate changes");
  await work();
  const [most] = await world.database.query<{ rows: number }>("select max(rows) as rows from changes");
  return most?.rows ?? 0;
}

async function readDue(job: string) {
  const [due] = await world.database.query(
    `select count(*)::int as rows, (select next_look_at <= now() from lanes where job_id = $1) as "isAwake" from call_rows
      where job_id = $1 and due_at <= now() and window_opens_at is null and status = 'QUEUED'`,
    [job],
  );
  return due;
}

const ALWAYS = { callingWindow: { windows: [{ days: DAYS, start: "00:00", end: "24:00" }] } };
const changes = [
  // One of the first rows that it looks at is over.
  { name: "of the window of a job", error: null, ofJob: true, change: ALWAYS, first: 1_999 },
  { name: "of the window of a workspace", error: null, ofJob: false, change: ALWAYS, first: 2_000 },
  {
    name: "of the pace of persons",
    error: { code: "ATTEMPT_GAP", message: "Too recent." },
    ofJob: false,
    change: { attemptGapMinutes: 5 },
    first: 2_000,
  },
];

test.each(changes)(
  "a change $name, for which very many rows wait, holds up no call and wakes the lanes",
  async (each) => {
    const job = await makeWaitingJob(each.error);
    await makeJob();
    const others = await claim();
    const { workspaceId } = world.sample;
    const change = () =>
      each.ofJob
        ? send("PATCH", `/call-jobs/${job}`, each.change)
        : world.operator("workspace.update", { id: workspaceId, ...each.change });
    const task = () => readTask(WAITS_TASK, each.ofJob ? job : workspaceId);
    await withLockedRows(job, async () => {
      await change();
      await finish(others);
    });
    expect(await readDue(job)).toEqual({ rows: each.first, isAwake: true });
    expect(await run(await task(), 1, createWaitsTask)).toEqual({ kind: "LATER", afterMs: 0 });
    expect(await readDue(job)).toEqual({ rows: each.first + 2_000, isAwake: true });
    // Its end was not stored before the process died.
    for (let i = 0; i < 2; i++) expect(await run(await task(), undefined, createWaitsTask)).toEqual({ kind: "DONE" });
    expect(await readDue(job)).toEqual({ rows: WAITING, isAwake: true });
    await world.database.query("update call_rows set status = 'FAILED', ended_at = now() where job_id = $1", [job]);
  },
);

test("of two changes, only the task of the later one goes on", async () => {
  const job = await makeWaitingJob();
  await send("PATCH", `/call-jobs/${job}`, ALWAYS);
  const early = await readTask(WAITS_TASK, job);
  await send("PATCH", `/call-jobs/${job}`, { callingWindow: null });
  expect(await run(early, undefined, createWaitsTask)).toEqual({ kind: "DONE" });
  expect(await readDue(job)).toEqual({ rows: 1_999, isAwake: true });
  expect(await run(await readTask(WAITS_TASK, job), undefined, createWaitsTask)).toEqual({ kind: "DONE" });
  expect(await readDue(job)).toEqual({ rows: WAITING, isAwake: true });
});

test("a window that never opens for the last of very many rows is refused", async () => {
  const job = await makeWaitingJob();
  await world.database.query(
    "update call_rows set number_country = 'RU' where id = (select id from call_rows where job_id = $1 order by id desc limit 1)",
    [job],
  );
  const callingWindow = { windows: [{ days: DAYS, start: "09:00", end: "09:30" }], timeZoneMode: "RECIPIENT" };
  const reply = await world.request("PATCH", `/call-jobs/${job}`, { body: { callingWindow } });
  expect(reply.status, reply.text).toBe(422);
  expect(reply.text).toContain("WINDOW_NEVER_OPENS");
});

async function makeFailedJob(): Promise<string> {
  const { job, live } = await makeLargeJob();
  await finish(live);
  await failAll(job);
  return job;
}

/** Lets all rows of a job that wait end as busy, and with them the job. */
async function failAll(job: string): Promise<void> {
  const sql =
    "update call_rows set status = 'FAILED', outcome = 'BUSY', ended_at = now() where job_id = $1 and status = 'QUEUED'";
  await world.database.query(sql, [job]);
  await world.database.query(
    "update call_jobs set status = 'COMPLETED', processed_rows = total_rows, error_rows = total_rows where id = $1",
    [job],
  );
}

/** Asks for a retry of very many rows; returns how many the answer counts. */
async function retryFirst(job: string): Promise<number> {
  const retried = await send("POST", `/call-jobs/${job}/retry-failed`);
  expect(retried).toMatchObject({ status: "RUNNING", run: 2, moreFollow: true });
  const count = Number(retried.retriedRows);
  expect(count).toBeLessThan(WAITING / 2);
  expect(retried).toMatchObject({ processedRows: WAITING + 1 - count, errorRows: WAITING + 1 - count });
  return count;
}

test("very many failed rows are put back by statements that change few each, most of them after the answer", async () => {
  const job = await makeFailedJob();
  const retry = async () => {
    const count = await retryFirst(job);
    expect(await readDue(job)).toEqual({ rows: count, isAwake: true });
    expect(await run(await readTask(RETRY_TASK, job), undefined, createRetryTask)).toEqual({ kind: "DONE" });
  };
  expect(await readMostChanged(retry)).toBeLessThanOrEqual(2_000);
  expect(await readDue(job)).toEqual({ rows: WAITING + 1, isAwake: true });
  const after = { status: "RUNNING", run: 2, processedRows: 0, errorRows: 0 };
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject(after);
});

test("a retry that is cut off again and again puts each row back once, also those that failed again meanwhile", async () => {
  const job = await makeFailedJob();
  await retryFirst(job);
  const task = await readTask(RETRY_TASK, job);
  expect(await run(task, 1, createRetryTask)).toEqual({ kind: "LATER", afterMs: 0 });
  const begun = Number((await readDue(job))?.rows);
  expect(begun).toBeLessThan(WAITING);
  await failAll(job);
  // Its end was not stored before the process died.
  for (let i = 0; i < 2; i++) expect(await run(task, undefined, createRetryTask)).toEqual({ kind: "DONE" });
  expect(await readDue(job)).toEqual({ rows: WAITING + 1 - begun, isAwake: true });
  // The job was over meanwhile: it completes once more.
  const after = { status: "RUNNING", run: 3, processedRows: begun, errorRows: begun };
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject(after);
});

test("a job that is cancelled while its failed rows are put back keeps the others as they are", async () => {
  const job = await makeFailedJob();
  const count = await retryFirst(job);
  await send("POST", `/call-jobs/${job}/cancel`);
  expect(await run(await readTask(RETRY_TASK, job), undefined, createRetryTask)).toEqual({ kind: "DONE" });
  expect(await read(job)).toMatchObject({ rows: { cancelled: count } });
  expect(await send("GET", `/call-jobs/${job}`)).toMatchObject({ status: "CANCELLED", errorRows: WAITING + 1 });
});

test("to put a failed row back, no rows but that one are read", async () => {
  const job = await makeFailedJob();
  // Idle connections have reported what they read before after ten seconds (PGSTAT_IDLE_INTERVAL of PostgreSQL).
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  let count = 0;
  const { entries } = await costOf(world.database.pool(), "call_rows", () =>
    second.database.db.transaction().execute(async (tx) => {
      await sql`select pg_stat_force_next_flush()`.execute(tx);
      const all = { outcomes: ["BUSY"], maxAttempts: 3, failedBy: "infinity", after: NIL_UUID };
      ({ count } = await requeueFailed(tx, world.sample.workspaceId, job, all));
    }),
  );
  expect(count).toBeGreaterThanOrEqual(4_000);
  // Seven: its place in the page, and its older and newer entries to lock and to change it. By their numbers, all rows of
  // the workspace were read for each page.
  expect(entries / count).toBeLessThan(10);
});
