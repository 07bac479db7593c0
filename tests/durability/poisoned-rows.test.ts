import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { forgetConversations } from "#src/interactions/contacts/forget.ts";
import { backfillSome } from "#src/interactions/results/backfill.ts";
import { foldResults } from "#src/interactions/results/fold.ts";
import type { Database } from "#src/platform/db/database.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { openForReads } from "../kit/read-costs.ts";

/* A stored row that cannot be read, be it of an older version or repaired by hand, holds up no other row. */

const [FIRST, LAST] = ["11111111-1111-4111-8111-111111111111", "99999999-9999-4999-8999-999999999999"];
const FLOW = "33333333-3333-4333-8333-333333333333";

let database: Database;
let pool: pg.Pool;
let lines: string[] = [];
const log = createLog("info", (line) => lines.push(line));
beforeAll(async () => {
  database = await openForReads(FIRST);
  ({ pool } = database);
  await pool.query(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     values ($1, 'last', 'SANDBOX', 1, 1, 1)`,
    [LAST],
  );
});
afterAll(() => database.close());
beforeEach(() => {
  lines = [];
});

/** Inserts a call that ended, which notes that it changed. */
async function addCall(workspaceId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country, number_class,
       phone_number_id, due_at, attempts_made, ended_at)
     values ($1, uuidv7(), $2, gen_random_uuid(), 'COMPLETED', 'ANSWERED', '+33777', 'FR', 'MOBILE', $2, now(), 1, now())
     returning id`,
    [workspaceId, FLOW],
  );
  return rows[0]?.id as string;
}
const noteAgain = (id: string) =>
  pool.query("insert into result_changes (workspace_id, row_id) select workspace_id, id from call_rows where id = $1", [
    id,
  ]);
const counted = async () =>
  (
    await pool.query<{ calls: string }>("select sum(calls) as calls from result_sums group by workspace_id order by 1")
  ).rows.map(({ calls }) => Number(calls));
const waiting = async () => (await pool.query("select from result_changes")).rowCount;
const said = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test("facts whose values cannot be read are written anew, told once, and hold up no other workspace", async () => {
  const bad = await addCall(FIRST);
  await foldResults(pool, log);
  expect([await counted(), lines]).toEqual([[1], []]);
  await pool.query("update call_facts set field_values = '{}' where row_id = $1", [bad]);
  await noteAgain(bad);
  await addCall(LAST);
  for (let runs = 0; runs < 2; runs++) await foldResults(pool, log);
  expect([await counted(), await waiting()]).toEqual([[1, 1], 0]);
  expect(said()).toMatchObject([{ level: "warn", calls: 1, callIds: [bad] }]);
  const { rows } = await pool.query("select field_values from call_facts where row_id = $1", [bad]);
  expect(rows).toEqual([{ field_values: null }]);
});

test("a call that cannot be added stays as it was counted, is named once, and the others are added", async () => {
  const others = [await addCall(FIRST), await addCall(LAST)];
  const bad = await addCall(FIRST);
  // No transcript of this shape is ever written.
  await pool.query(
    `insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms,
       usage, recorded) values ($1, $2, '5', '{}', '{}', 1, '[]', '{}', false)`,
    [FIRST, bad],
  );
  others.push(await addCall(LAST));
  for (let runs = 0; runs < 2; runs++) await foldResults(pool, log);
  expect([await counted(), await waiting()]).toEqual([[2, 3], 0]);
  expect(said()).toMatchObject([{ level: "error", workspaceId: FIRST, callId: bad }]);
  const { rows } = await pool.query("select row_id from call_facts where row_id = any ($1)", [[...others, bad]]);
  expect(rows.map(({ row_id: id }: { row_id: string }) => id).toSorted()).toEqual(others.toSorted());
  await pool.query("update call_results set transcript = '[]' where row_id = $1", [bad]);
  await noteAgain(bad);
  await foldResults(pool, log);
  expect(await counted()).toEqual([3, 3]);
});

test("a step of the backfill that the database refuses takes back none of the others", async () => {
  await pool.query("update result_listing set is_done = false");
  await pool.query("update result_filling set is_done = false, workspace_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff'");
  await pool.query("alter table result_filling add constraint refused check (not is_done)");
  await expect(backfillSome(pool)).rejects.toThrow(/refused/);
  await expect(backfillSome(pool)).rejects.toThrow(/refused/);
  expect((await pool.query("select is_done from result_listing")).rows).toEqual([{ is_done: true }]);
  await pool.query("alter table result_filling drop constraint refused");
  expect(await backfillSome(pool)).toBe(false);
});

test("a chat that cannot be forgotten holds up neither the calls nor other workspaces", async () => {
  await pool.query("update workspaces set conversation_retention_days = 30");
  for (const [workspaceId, plan] of [
    [FIRST, "5"],
    [LAST, "{}"],
  ]) {
    await pool.query(
      `insert into chat_sessions (workspace_id, id, channel, provider, simulated, status, mode, ai_mode, is_inline, plan,
         idle_timeout_seconds, opening_due, context_data, created_at, ended_at, finished_at)
       select $1, uuidv7(), 'CHAT', 'PARLEY', true, 'CLOSED', 'TEXT', 'AUTO', false, $2, 60, false, 'gold', at, at, at
         from (select now() - interval '40 days' as at) days`,
      [workspaceId, plan],
    );
  }
  await pool.query("update call_rows set row_data = '{}', ended_at = now() - interval '40 days'");
  await pool.query("update call_results set updated_at = now() - interval '40 days'");
  await expect(forgetConversations(database)).rejects.toThrow();
  const { rows } = await pool.query("select workspace_id as id, is_forgotten from chat_sessions order by workspace_id");
  expect(rows).toEqual([
    { id: FIRST, is_forgotten: false },
    { id: LAST, is_forgotten: true },
  ]);
  expect((await pool.query("select from call_rows where row_data is not null")).rowCount).toBe(0);
});
