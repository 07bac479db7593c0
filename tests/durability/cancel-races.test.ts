import { afterAll, beforeAll, expect, test } from "vitest";
import { sleep } from "#src/platform/kernel/async.ts";
import { World } from "../kit/world.ts";

const ROUNDS = Number(process.env.CANCEL_ROUNDS ?? 10);
const LARGE_ROUNDS = Math.ceil(ROUNDS / 10);
/** More than a cancel and a change of the window take with their requests. */
const MANY = 11_000;
const NUMBER = "+442079460170";

let world: World;
beforeAll(async () => {
  world = await World.start();
  await send("POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber: NUMBER, maxConcurrentCalls: 5 });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = { [name: string]: unknown };

async function send(method: string, path: string, body?: Body): Promise<Body> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const days = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const ALWAYS = { callingWindow: { windows: [{ days, start: "00:00", end: "24:00" }] } };
const CHANGES: Body[] = [
  { name: "Renamed" },
  { maxConcurrency: 2 },
  { maxConcurrency: null, retryConfig: { maxAttempts: 1 } },
  ALWAYS,
  { callingWindow: null, maxConcurrency: 3 },
];

/** Makes a job with answers, voicemails, busy lines and retries among its rows. */
async function makeJob(round: number): Promise<string> {
  const customer = (i: number) => `+1202555${String(100 + ((round * 20 + i) % 100)).padStart(4, "0")}`;
  const rows = Array.from({ length: 20 }, (_, i) => ({ customerNumber: customer(i) }));
  const retryConfig = { maxAttempts: 2, delaysSeconds: [1] };
  return String((await send("POST", "/call-jobs", { rows, fromPhoneNumbers: [NUMBER], retryConfig })).id);
}

/** Adds very many rows to a job, which wait for a window. */
async function addMany(job: string): Promise<void> {
  await world.database.query(
    `with job as (update call_jobs set total_rows = total_rows + ${MANY} where id = $1 returning *)
     insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                            phone_number_id, due_at, window_opens_at, max_attempts)
     select workspace_id, gen_random_uuid(), id, gen_random_uuid(), 'QUEUED', '+1415' || (2000000 + i), 'US', 'UNKNOWN',
            phone_number_ids[1], now() + interval '1 hour', now() + interval '1 hour', 1
       from job, generate_series(1, ${MANY}) i`,
    [job],
  );
}

/** Sends a cancel and changes at once, and returns their answers with the moment of that of the cancel. */
async function race(job: string, round: number) {
  const change = (i: number) =>
    world.request("PATCH", `/call-jobs/${job}`, { body: CHANGES[(round + i) % CHANGES.length] as Body });
  await sleep(Math.random() * 60);
  const later = async <Result>(act: () => Promise<Result>) => {
    await sleep(Math.random() * 8);
    return act();
  };
  let cancelledAt = "";
  const cancel = async () => {
    const reply = await world.request("POST", `/call-jobs/${job}/cancel`);
    const [row] = await world.database.query<{ at: string }>("select clock_timestamp()::text as at");
    cancelledAt = row?.at ?? "";
    return reply;
  };
  const [cancelled, ...changed] = await Promise.all([later(cancel), later(() => change(0)), later(() => change(1))]);
  return { cancelled, changed, cancelledAt };
}

async function untilOver(job: string): Promise<Body> {
  const isOver = async () =>
    ["CANCELLED", "COMPLETED"].includes(String((await send("GET", `/call-jobs/${job}`)).status));
  await expect.poll(isOver, { timeout: 60_000, interval: 50 }).toBe(true);
  return send("GET", `/call-jobs/${job}`);
}

/** Reads what must hold of a cancelled job, however its changes fell. */
async function readFaults(job: string, cancelledAt: string) {
  const [found] = await world.database.query(
    `select (select count(*)::int from call_rows where job_id = $1 and ended_at is null) as "open",
            (select count(*)::int from call_rows where job_id = $1 and status in ('QUEUED', 'WAITING_FOR_RETRY')) as waiting,
            (select count(*)::int from call_attempts a join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id
              where r.job_id = $1 and a.submitted_at > $2::timestamptz) as "dialledLater",
            (select count(*)::int from lanes where job_id = $1 and is_open) as "openLanes",
            (select active_calls from phone_numbers where number = '${NUMBER}') as "heldSlots",
            (select count(*)::int from events where subject_id = $1 and type = 'call_job.completed') as completions,
            (select processed_rows - (select count(*)::int from call_rows where job_id = $1 and ended_at is not null)
               from call_jobs where id = $1) as miscounted`,
    [job, cancelledAt],
  );
  return found;
}

const NO_FAULTS = { open: 0, waiting: 0, dialledLater: 0, openLanes: 0, heldSlots: 0, completions: 1, miscounted: 0 };

/** Runs a round, and returns what `readFaults` reads after it. */
async function runRound(round: number, isLarge: boolean) {
  const job = await makeJob(round);
  if (isLarge) await addMany(job);
  const { cancelled, changed, cancelledAt } = await race(job, round);
  // All its calls may have ended before.
  expect([200, 409], cancelled.text).toContain(cancelled.status);
  for (const reply of changed) expect([200, 409], reply.text).toContain(reply.status);
  const over = await untilOver(job);
  expect(over).toMatchObject({ status: cancelled.status === 200 ? "CANCELLED" : "COMPLETED" });
  return readFaults(job, cancelledAt);
}

test("a cancel and changes of the same job at once leave it cancelled and counted", { timeout: 600_000 }, async () => {
  for (let round = 0; round < ROUNDS; round++) expect(await runRound(round, false)).toEqual(NO_FAULTS);
});

test("so they do where very many rows wait for its window", { timeout: 600_000 }, async () => {
  for (let round = 0; round < LARGE_ROUNDS; round++) expect(await runRound(round, true)).toEqual(NO_FAULTS);
});
