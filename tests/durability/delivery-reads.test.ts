import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blankReplies } from "#src/interactions/contacts/erase-sql.ts";
import {
  countDeliveries as countLeads,
  countToday,
  insertDelivery,
  listDeliveries as listLeads,
} from "#src/interactions/lead-sources/store.ts";
import { listDeliveries } from "#src/interactions/webhooks/delivery-sql.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { costOf, looksAt, meanCostOf, openForReads, settle } from "../kit/read-costs.ts";

/* Deliveries of a month: what a far page skips, and what other days had, is not looked at. */

const MANY = 30_000;
const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const SOURCE = "33333333-3333-4333-8333-333333333333";
const FIRST = { page: 0, size: 20, after: undefined };

let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openForReads(WORKSPACE);
  ({ pool } = database);
});
afterAll(() => database.close());

test("of the deliveries of webhooks that a page skips, neither row nor attempts are looked at", async () => {
  await pool.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, status, created_at, finished_at)
     select uuidv7(), $1, 'session.event', gen_random_uuid(), '{}', case when i <= 15000 then 'DEAD' else 'DONE' end,
       now() - make_interval(secs => i), now() from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "tasks");
  const list = (status: "DONE" | undefined, page: PageRequest = FIRST) =>
    listDeliveries(database.db, WORKSPACE, page, { status, rowId: undefined });
  const far = { page: 900, size: 20, after: undefined };
  const looks = await looksAt(pool, "webhook_attempts", async () => {
    expect((await list(undefined, far)).rows).toHaveLength(21);
  });
  expect(looks).toBeLessThan(25);
  const { rows } = await meanCostOf(pool, "tasks", async () => {
    const { rows: delivered, count } = await list("DONE");
    expect([delivered.length, delivered[0]?.status, await count()]).toEqual([21, "DONE", 10_001]);
  });
  expect(rows).toBeLessThan(200);
  const { rows: first } = await list(undefined, far);
  const after = { page: 0, size: 20, after: first[19]?.id as string };
  const next = await costOf(pool, "tasks", async () => {
    expect((await list(undefined, after)).rows[0]?.id).toBe(first[20]?.id);
  });
  expect(next.entries).toBeLessThan(100);
});

test("a lead is taken without looking at those of a month", async () => {
  await pool.query(
    `insert into lead_sources (workspace_id, id, name, token_hash, active, retry_config, delay_seconds, mapping, rules,
       signature_kind, tokens)
     select $1, $2, 's', 'h', true, '{}', 0, '{}', '{}', 'NONE', 1`,
    [WORKSPACE, SOURCE],
  );
  await pool.query(
    `insert into lead_deliveries (workspace_id, id, source_id, status, created_at)
     select $1, uuidv7(make_interval(mins => -i)), $2, case when i = 29000 then 'DUPLICATE' else 'QUEUED' end,
       now() - make_interval(mins => i) from generate_series(1, $3::int) i`,
    [WORKSPACE, SOURCE, MANY],
  );
  await settle(pool, "lead_deliveries");
  const filter = { sourceId: SOURCE, statuses: ["DUPLICATE", "REFUSED"] };
  const rare = await meanCostOf(pool, "lead_deliveries", async () => {
    expect(await listLeads(database.db, WORKSPACE, filter, FIRST)).toHaveLength(1);
    expect(await countLeads(database.db, WORKSPACE, filter)).toBe(1);
  });
  expect(Math.max(rare.entries, rare.rows)).toBeLessThan(20);
  const { rows: today } = await meanCostOf(pool, "lead_deliveries", async () => {
    expect((await countToday(database.db, WORKSPACE, SOURCE)).count).toBeLessThan(1_441);
  });
  expect(today).toBeLessThan(1_600);
  const row = { source_id: SOURCE, reason: "INVALID", message: null, delivery_key: null, external_id: null } as const;
  const person = { customer_number: null, consent: null, row_id: null, content_type: null, body: null };
  const refused = await costOf(pool, "lead_deliveries", () =>
    insertDelivery(database.db, WORKSPACE, { ...row, ...person, id: uuidv7(), status: "REFUSED" } as never, 1_000),
  );
  expect(refused.entries).toBeLessThan(20);
});

test("an erasure reads each kept reply once, however many calls the person had", async () => {
  const called = Array.from({ length: 2_000 }, () => uuidv7());
  await pool.query(
    `insert into idempotency_keys (workspace_id, credential_id, route, key, body_hash, status, body)
     select $1, $1, 'POST /' || i % 3, 'k' || i, '', 200,
       json_build_object('id', case when i = 7 then $2 else gen_random_uuid()::text end, 'name', case when i = 20000 then 'Jo "J" Doe' end)
       from generate_series(1, 20000) i`,
    [WORKSPACE, called[1_234]],
  );
  await settle(pool, "idempotency_keys");
  const { rows } = await costOf(pool, "idempotency_keys", () =>
    blankReplies(database.db, WORKSPACE, [null, "", 'Jo "J" Doe'], called),
  );
  expect(rows).toBeLessThan(20_100);
  const { rows: blanked } = await pool.query(
    "select key from idempotency_keys where status = 410 and body = '' order by 1",
  );
  expect(blanked).toEqual([{ key: "k20000" }, { key: "k7" }]);
});
