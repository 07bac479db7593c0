import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallEnd, Finisher } from "#src/interactions/dispatch/finish.ts";
import { Inbox } from "#src/interactions/dispatch/inbox.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/*
 * The statements that store events and ends of many calls read the attempts of these calls, and no others. They must do
 * so with whatever statistics the tables have: with none, as in the first seconds of an installation, or with those of
 * a quiet hour, by which hardly any attempt is live. The planner once compared each call with all attempts of the
 * workspace, or with all live ones.
 */

const ENDED = 3_000;
const LIVE = 600;
const BATCH = 200;
/** Reads of a call's own attempt: to find it, for its answer, and to change it. */
const MOST_READS_A_CALL = 4;

const ENDED_ATTEMPTS = `
insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider, ended_at)
select workspace_id, gen_random_uuid(), gen_random_uuid(), 1, 'ENDED', id, '+1415' || (1000000 + i), 'SANDBOX', now()
  from (select workspace_id, id from phone_numbers where workspace_id = $1 limit 1) p, generate_series(1, ${ENDED}) i`;

const LIVE_CALLS = `
with r as (
  insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                         phone_number_id, lease_owner, attempt_id, attempts_made, started_at)
  select workspace_id, gen_random_uuid(), '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'DIALING',
         '+1415' || (2000000 + i), 'US', 'MOBILE', id, $2, gen_random_uuid(), 1, now()
    from (select workspace_id, id from phone_numbers where workspace_id = $1 limit 1) p, generate_series(1, ${LIVE}) i
  returning *
)
insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider)
select workspace_id, attempt_id, id, 1, 'SUBMITTING', phone_number_id, customer_number, 'SANDBOX' from r`;

interface LiveCall {
  workspace_id: string;
  id: string;
  attempt_id: string;
  phone_number_id: string;
  job_id: string;
}

let world: World;
let second: SecondNode;
let calls: LiveCall[];
beforeAll(async () => {
  world = await World.start();
  second = await SecondNode.join(world);
  const { pool } = second.database;
  await pool.query(ENDED_ATTEMPTS, [world.sample.workspaceId]);
  await pool.query(LIVE_CALLS, [world.sample.workspaceId, second.node.id]);
  const found = await pool.query<LiveCall>(`select * from call_rows where lease_owner = $1 limit ${BATCH}`, [
    second.node.id,
  ]);
  calls = found.rows;
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Runs statements in a transaction that is rolled back; returns how many attempts they read and changed. */
async function costOf(run: (pool: pg.Pool) => Promise<unknown>): Promise<{ read: number; changed: number }> {
  const client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  try {
    await client.query("begin");
    await run({ query: (query: pg.QueryConfig) => client.query(query) } as unknown as pg.Pool);
    const { rows } = await client.query<{ read: number; changed: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read, n_tup_upd::int as changed
         from pg_stat_xact_user_tables where relname = 'call_attempts'`,
    );
    return rows[0] ?? { read: 0, changed: 0 };
  } finally {
    await client.query("rollback");
    await client.end();
  }
}

const END: CallEnd = { status: "FAILED", retryMs: null, outcome: "NO_ANSWER", endReason: null, attemptState: "ENDED" };

function finishAll(pool: pg.Pool): Promise<unknown> {
  const finisher = new Finisher(pool, second.node, () => undefined);
  return Promise.all(calls.map((call) => finisher.finish(call, END, true)));
}

function receiveAll(pool: pg.Pool): Promise<unknown> {
  const inbox = new Inbox(pool);
  const at = new Date().toISOString();
  return Promise.all(
    calls.flatMap(({ workspace_id: workspaceId, attempt_id: attemptId }) => {
      inbox.open(attemptId, workspaceId);
      const base = { attemptId, providerCallId: `c-${attemptId}`, at };
      const events: CarrierEvent[] = [
        { ...base, type: "RINGING", eventKey: `${attemptId}-1` },
        { ...base, type: "ANSWERED", eventKey: `${attemptId}-2`, answeredBy: "HUMAN" },
      ];
      return events.map((event) => inbox.receive("SANDBOX", event));
    }),
  );
}

/** Analyzes the attempts while all of them have ended, and makes the others live again. */
async function analyzeQuietHour(): Promise<void> {
  const { pool } = second.database;
  const ids = calls.map((call) => call.attempt_id);
  await pool.query("delete from call_attempts where ended_at is null and not id = any($1::uuid[])", [ids]);
  await pool.query("update call_attempts set ended_at = now() where id = any($1::uuid[])", [ids]);
  await pool.query("analyze");
  await pool.query("update call_attempts set ended_at = null where id = any($1::uuid[])", [ids]);
}

describe.each([
  ["without statistics", () => Promise.resolve()],
  ["with the statistics of a busy hour", () => second.database.pool.query("analyze")],
  ["with the statistics of a quiet hour", analyzeQuietHour],
])("%s", (_, prepare) => {
  beforeAll(async () => {
    await prepare();
  });

  test("ends read their own attempts", async () => {
    const { read, changed } = await costOf(finishAll);
    expect(changed).toBe(BATCH);
    expect(read).toBeLessThanOrEqual(MOST_READS_A_CALL * BATCH);
  });

  test("events read their own attempts", async () => {
    const { read, changed } = await costOf(receiveAll);
    expect(changed).toBe(BATCH);
    expect(read).toBeLessThanOrEqual(MOST_READS_A_CALL * BATCH);
  });
});
