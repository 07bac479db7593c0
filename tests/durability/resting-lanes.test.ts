import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endWaits } from "#src/interactions/calls/end-waits.ts";
import { openLanes, releaseHeldRows, wakeLanes } from "#src/interactions/calls/queue-rows.ts";
import { LOOK_IN_TIME_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { type CallEnd, Finisher } from "#src/interactions/dispatch/finish.ts";
import { holdRows } from "#src/interactions/dispatch/hold.ts";
import { postponeRows, type WaitingRow } from "#src/interactions/dispatch/postpone.ts";
import { LaneRest } from "#src/interactions/dispatch/rest-lanes.ts";
import { type Executor, sql } from "#src/platform/db/database.ts";
import { WEEKDAYS } from "#src/tenancy/compliance/calling-window.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

const NO_JOB = "00000000-0000-0000-0000-000000000000";
const NUMBER = "+442079460180";
const ALWAYS = { windows: [{ days: [...WEEKDAYS], start: "00:00", end: "24:00" }] };

/** A world that neither claims nor corrects lanes, so that each step is seen by itself. */
let world: World;
let second: SecondNode;
beforeAll(async () => {
  world = await World.start({ roles: ["api", "jobs"] });
  second = await SecondNode.join(world);
  await send("POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber: NUMBER });
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
const person = () => ({ customerNumber: `+1202555${String(100 + (persons++ % 100)).padStart(4, "0")}` });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function makeJob(body: Body = {}): Promise<string> {
  const made = await send("POST", "/call-jobs", { rows: [person()], fromPhoneNumbers: [NUMBER], ...body });
  return String(made.id);
}

/** The time before which the claim does not look at a job's lane: AWAKE once it has come. */
async function nextLook(jobId: string): Promise<string> {
  const [lane] = await world.database.query<{ at: string }>(
    `select case when next_look_at <= now() then 'AWAKE' when next_look_at = 'infinity' then 'NEVER'
                 else to_char(next_look_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at
       from lanes where job_id = $1`,
    [jobId],
  );
  return lane?.at ?? "NO LANE";
}

const rest = () => new LaneRest(world.database.pool()).run();
const claim = (limit = 200) => claimRows(second.database.pool, second.node.id, limit, limit);
const end: CallEnd = { status: "FAILED", retryMs: null, outcome: "BUSY", endReason: null, attemptState: "ENDED" };

async function finish(rows: Awaited<ReturnType<typeof claim>>, more: Partial<CallEnd> = {}): Promise<void> {
  const finisher = new Finisher(second.database.pool, second.node, () => undefined);
  await Promise.all(rows.map((row) => finisher.finish(row, { ...end, ...more }, true)));
}

/** Claims and ends all that is due, and sends the lanes to rest. */
async function settle(): Promise<void> {
  for (let rows = await claim(); rows.length > 0; rows = await claim()) await finish(rows);
  await rest();
}

describe("a lane rests", () => {
  test("until its next row is due, and without one for ever", async () => {
    const startAt = inAnHour();
    const [later, now] = [await makeJob({ startAt }), await makeJob({ rows: [person(), person()] })];
    expect([await nextLook(later), await nextLook(now)]).toEqual(["AWAKE", "AWAKE"]);
    await rest();
    expect([await nextLook(later), await nextLook(now)]).toEqual([startAt, "AWAKE"]);
    const [row] = await claim(1);
    await settle();
    expect(await nextLook(now)).toBe("NEVER");
    await finish([row as NonNullable<typeof row>]);
    await send("POST", `/call-jobs/${later}/cancel`);
  });

  test("not if a row is due that another transaction has stored and not yet committed", async () => {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    await world.database.query("update lanes set next_look_at = now() where job_id = $1", [job]);
    await second.database.db.transaction().execute(async (tx) => {
      await wakeLanes(tx, world.sample.workspaceId, job);
      await rest();
      expect(await nextLook(job)).toBe("AWAKE");
    });
    await rest();
    expect(await nextLook(job)).not.toBe("AWAKE");
  });

  test("and is woken by a row that was stored while it was being sent to rest", async () => {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    await world.database.query("update lanes set next_look_at = now() where job_id = $1", [job]);
    let waking: Promise<void> = Promise.resolve();
    const pool = pauseBefore(world.database.pool(), /^\s*update lanes/, async () => {
      const [{ id: numberId }] = (await world.database.query("select id from phone_numbers where number = $1", [
        NUMBER,
      ])) as [{ id: string }];
      waking = second.database.db
        .transaction()
        .execute((tx) => openLanes(tx, world.sample.workspaceId, job, [{ phoneNumberId: numberId, maxCalls: null }]));
      await untilBlocked();
    });
    await new LaneRest(pool).run();
    await waking;
    expect(await nextLook(job)).toBe("AWAKE");
    await send("POST", `/call-jobs/${job}/cancel`);
  });

  test("and is woken by a row that is made due while it is being sent to rest", async () => {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    await world.database.query("update call_rows set window_opens_at = due_at where job_id = $1", [job]);
    await world.database.query("update lanes set next_look_at = now() where job_id = $1", [job]);
    let waking: Promise<void> = Promise.resolve();
    const pool = pauseBefore(world.database.pool(), /^\s*update lanes/, async () => {
      waking = second.database.db
        .transaction()
        .execute((tx) => endWaits(tx, world.sample.workspaceId, { of: "JOB_WINDOW", jobId: job }));
      await untilBlocked();
    });
    await new LaneRest(pool).run();
    await waking;
    expect(await nextLook(job)).toBe("AWAKE");
    await send("POST", `/call-jobs/${job}/cancel`);
    await settle();
  });

  test("and is woken by a row in it although another transaction made it, and it was sent to rest since", async () => {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    const [lane] = await world.database.query<{ number: string }>(
      "delete from lanes where job_id = $1 returning phone_number_id as number",
      [job],
    );
    const open = (tx: Executor) =>
      openLanes(tx, world.sample.workspaceId, job, [{ phoneNumberId: String(lane?.number), maxCalls: null }]);
    const other = Promise.withResolvers<Promise<void>>();
    await second.database.db.transaction().execute(async (tx) => {
      await open(tx);
      const { db } = second.database;
      other.resolve(
        db.transaction().execute(async (later) => {
          await sql`update call_rows set due_at = now() where job_id = ${job}`.execute(later);
          await open(later);
          await rest();
        }),
      );
      await untilBlocked();
    });
    await other.promise;
    expect(await nextLook(job)).toBe("AWAKE");
    await settle();
  });

  test("no longer than until somebody looks, if nobody woke it", async () => {
    const job = await makeJob({ startAt: inAnHour() });
    await rest();
    await world.database.query("update call_rows set due_at = now() where job_id = $1", [job]);
    expect(await nextLook(job)).not.toBe("AWAKE");
    await rest();
    expect(await nextLook(job)).toBe("AWAKE");
    await settle();
  });
});

describe("a row that the claim let wait for five minutes", () => {
  /** Makes a job whose row and lane wait as long, and gives the row as the claim would. */
  async function makeWaiting(error: string | null): Promise<WaitingRow> {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    const [row] = await world.database.query<WaitingRow>(
      `update call_rows set due_at = now() + interval '5 minutes', window_opens_at = now() + interval '5 minutes', error = $2
        where job_id = $1
       returning workspace_id, id, phone_number_id, job_id, customer_number, time_zone, number_country, due_at as was_due_at`,
      [job, error],
    );
    await world.database.query("update lanes set next_look_at = now() + interval '5 minutes' where job_id = $1", [job]);
    return {
      ...(row as WaitingRow),
      waits: true,
      window_rules: null,
      window_zones: [],
      person_zones: [],
      pace: "ATTEMPT_GAP",
      max_attempts_per_day: null,
      attempt_gap_minutes: null,
      gap_ends_at: new Date(Date.now() + 60_000),
    };
  }
  const dueAt = async ({ id }: WaitingRow) =>
    (await world.database.query<{ at: Date }>("select due_at as at from call_rows where id = $1", [id]))[0]?.at;

  test("is dialled earlier, if its number may be called earlier", async () => {
    const row = await makeWaiting(null);
    await postponeRows(second.database.pool, [row]);
    const at = await dueAt(row);
    expect(at?.getTime()).toBeLessThan(Date.now() + 120_000);
    expect(await nextLook(row.job_id)).toBe(at?.toISOString());
    await send("POST", `/call-jobs/${row.job_id}/cancel`);
  });

  test.each(["workspaces where id = $1", "call_jobs where workspace_id = $1"])(
    "stays as it is, and the next claim waits for a moment only, while somebody changes %s",
    async (settings) => {
      const row = await makeWaiting(null);
      const before = await dueAt(row);
      const client = await world.database.pool().connect();
      await client.query("begin");
      await client.query(`select 1 from ${settings} for no key update`, [row.workspace_id]);
      await expect(postponeRows(second.database.pool, [row])).rejects.toMatchObject({ code: "55P03" });
      expect(await dueAt(row)).toEqual(before);
      await client.query("rollback");
      client.release();
      await send("POST", `/call-jobs/${row.job_id}/cancel`);
    },
  );

  test("is dialled at once, if its review was decided meanwhile", async () => {
    const row = await makeWaiting('{"code": "OPT_OUT_REVIEW"}');
    await holdRows(second.database.pool, [row]);
    expect(await nextLook(row.job_id)).toBe("AWAKE");
    await send("POST", `/call-jobs/${row.job_id}/cancel`);
  });

  test("leaves its lane awake that somebody else wakes at the same time", async () => {
    const row = await makeWaiting(null);
    await world.database.query("update lanes set next_look_at = 'infinity' where job_id = $1", [row.job_id]);
    let looking: Promise<unknown> = Promise.resolve();
    await second.database.db.transaction().execute(async (tx) => {
      await wakeLanes(tx, world.sample.workspaceId, row.job_id);
      // The end of postponeRows and holdRows, without their time limit for locks, which a busy machine may exceed.
      looking = world.database.query(
        `with moved_rows as (select * from call_rows where job_id = '${row.job_id}')${LOOK_IN_TIME_SQL}`,
      );
      await untilBlocked();
    });
    await looking;
    expect(await nextLook(row.job_id)).toBe("AWAKE");
    await send("POST", `/call-jobs/${row.job_id}/cancel`);
    await settle();
  });

  test("is dialled earlier, although its lane is just being sent to rest for the five minutes", async () => {
    const row = await makeWaiting(null);
    await world.database.query("update lanes set next_look_at = now() where job_id = $1", [row.job_id]);
    let postponing: Promise<void> = Promise.resolve();
    const pool = pauseBefore(world.database.pool(), /^\s*update lanes/, async () => {
      const postpone = () => postponeRows(second.database.pool, [row]);
      // A busy machine may take longer than it waits for a lock.
      postponing = postpone().catch(postpone);
      await untilBlocked();
    });
    await new LaneRest(pool).run();
    await postponing;
    expect(await nextLook(row.job_id)).toBe((await dueAt(row))?.toISOString());
    await send("POST", `/call-jobs/${row.job_id}/cancel`);
    await settle();
  });
});

test("a lane that somebody has locked, such as a request that stands still, holds up no claim", async () => {
  await settle();
  const [locked, free] = [await makeJob(), await makeJob()];
  await second.database.db.transaction().execute(async (tx) => {
    await sql`update lanes set next_look_at = now() where job_id = ${locked}`.execute(tx);
    const rows = await claim();
    expect(rows.map(({ job_id }) => job_id)).toEqual([free]);
    await finish(rows);
  });
  const rows = await claim();
  expect(rows.map(({ job_id }) => job_id)).toEqual([locked]);
  await finish(rows);
});

describe("a lane is awake again after", () => {
  const ways: [string, (job: string) => Promise<unknown>][] = [
    ["rows that are added", (job) => send("POST", `/call-jobs/${job}/rows`, { rows: [person()] })],
    [
      "the end of a pause",
      async (job) => {
        await send("POST", `/call-jobs/${job}/pause`);
        await send("POST", `/call-jobs/${job}/resume`);
      },
    ],
    [
      "a change of the window for which its rows wait",
      async (job) => {
        await world.database.query("update call_rows set window_opens_at = due_at where job_id = $1", [job]);
        await send("PATCH", `/call-jobs/${job}`, { callingWindow: ALWAYS });
      },
    ],
  ];
  test.each(ways)("%s", async (_name, act) => {
    const job = await makeJob({ startAt: inAnHour() });
    await settle();
    expect(await nextLook(job)).not.toBe("AWAKE");
    await act(job);
    expect(await nextLook(job)).toBe("AWAKE");
    await send("POST", `/call-jobs/${job}/cancel`);
  });

  test("failed rows that are dialled again", async () => {
    const job = await makeJob({ rows: [person(), { ...person(), externalId: "later" }] });
    await world.database.query("update call_rows set due_at = now() + interval '1 hour' where external_id = 'later'");
    await settle();
    await send("POST", `/call-jobs/${job}/retry-failed`);
    expect(await nextLook(job)).toBe("AWAKE");
    await send("POST", `/call-jobs/${job}/cancel`);
    await settle();
  });

  test("held rows that are released, and no other lane", async () => {
    const [held, other] = [await makeJob({ startAt: inAnHour() }), await makeJob({ startAt: inAnHour() })];
    await settle();
    const [row] = await world.database.query<{ customer_number: string }>(
      `update call_rows set error = '{"code": "OPT_OUT_REVIEW"}' where job_id = $1 returning customer_number`,
      [held],
    );
    await second.database.db
      .transaction()
      .execute((tx) => releaseHeldRows(tx, world.sample.workspaceId, String(row?.customer_number)));
    expect([await nextLook(held), (await nextLook(other)) === "AWAKE"]).toEqual(["AWAKE", false]);
    for (const job of [held, other]) await send("POST", `/call-jobs/${job}/cancel`);
    await settle();
  });

  test("a single call", async () => {
    const call = () => send("POST", "/outbound/calls", { ...person(), fromPhoneNumber: NUMBER });
    await call();
    await settle();
    expect(await nextLook(NO_JOB)).toBe("NEVER");
    await call();
    expect(await nextLook(NO_JOB)).toBe("AWAKE");
    await settle();
  });

  test("a retry, when that is due", async () => {
    const job = await makeJob({ rows: [person(), person()] });
    const rows = await claim();
    await rest();
    expect(await nextLook(job)).toBe("NEVER");
    const [first, other] = rows.filter(({ job_id }) => job_id === job) as [(typeof rows)[0], (typeof rows)[0]];
    await finish([first], { status: "WAITING_FOR_RETRY", retryMs: 3_600_000 });
    await finish([other], { status: "WAITING_FOR_RETRY", retryMs: 1_800_000 });
    const [due] = await world.database.query<{ at: Date }>("select due_at as at from call_rows where id = $1", [
      other.id,
    ]);
    expect(await nextLook(job)).toBe(due?.at.toISOString());
    await send("POST", `/call-jobs/${job}/cancel`);
  });
});

test("the lanes of a number take turns", async () => {
  await settle();
  const jobs = [];
  for (let i = 0; i < 3; i++) jobs.push(await makeJob({ rows: Array.from({ length: 4 }, person) }));
  const served: string[] = [];
  for (let i = 0; i < 9; i++) {
    const rows = await claim(1);
    served.push(...rows.map(({ job_id }) => job_id));
    await finish(rows);
  }
  const turns = [served.slice(0, 3), served.slice(3, 6), served.slice(6)];
  for (const turn of turns) expect(turn.toSorted()).toEqual(jobs.toSorted());
  for (const job of jobs) await send("POST", `/call-jobs/${job}/cancel`);
});

/** A pool whose transactions stop before the first statement of this kind until `meanwhile` is done. */
function pauseBefore(pool: pg.Pool, statement: RegExp, meanwhile: () => Promise<void>): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = async (text: string, values?: unknown[]) => {
      if (statement.test(text)) await meanwhile();
      return client.query(text, values);
    };
    return { query, release: (fault?: Error) => client.release(fault) };
  };
  return { query: pool.query.bind(pool), connect } as unknown as pg.Pool;
}

/** Resolves once a statement waits for a lock of another transaction. */
async function untilBlocked(): Promise<void> {
  await expect
    .poll(
      async () => {
        const [found] = await world.database.query<{ count: number }>(
          "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return found?.count;
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0);
}
