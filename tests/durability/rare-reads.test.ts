import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFlowsByKey } from "#src/authoring/flows/store.ts";
import { readRows } from "#src/interactions/calls/list-rows.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { countChats, listChats } from "#src/interactions/chats/store.ts";
import { getContact } from "#src/interactions/contacts/contacts.ts";
import { listContacts } from "#src/interactions/contacts/store.ts";
import { getTimeline } from "#src/interactions/contacts/timeline.ts";
import { listNumbers } from "#src/numbers/phone-numbers/store.ts";
import type { Database } from "#src/platform/db/database.ts";
import { getOverview } from "#src/surfaces/console/overview.ts";
import { getAuditPage } from "#src/tenancy/audit/audit.ts";
import { listEntries } from "#src/tenancy/compliance/do-not-call-list.ts";
import { countRecordings, listRecordings } from "#src/workbench/transcriptions/store.ts";
import { looksAt, meanCostOf, mostReadOf, openForReads, settle } from "../kit/read-costs.ts";

/* Reads of little among very much: what few rows of a list have, and one person with very many calls. */

const MANY = 40_000;
const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const JOB = "33333333-3333-4333-8333-333333333333";
const NUMBER = "44444444-4444-4444-8444-444444444444";
const PERSON = "66666666-6666-4666-8666-666666666666";
const PHONE = "+49301234567";
const FIRST = { page: 0, size: 20, after: undefined };
const NEWEST = { by: "createdAt", isDescending: true } as const;

let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openForReads(WORKSPACE);
  ({ pool } = database);
});
afterAll(() => database.close());

test("calls that wait for a number are counted without looking at lanes of jobs that have none", async () => {
  await pool.query(
    `insert into phone_numbers (workspace_id, id, number, provider, asked_provider, status, max_concurrent_calls)
     values ($1, $2, '+4930999', 'SANDBOX', 'SANDBOX', 'ACTIVE', 1)`,
    [WORKSPACE, NUMBER],
  );
  await pool.query(
    `insert into lanes (workspace_id, phone_number_id, job_id)
     select $1::uuid, $2::uuid, gen_random_uuid() from generate_series(1, $3::int) union all select $1, $2, $4::uuid`,
    [WORKSPACE, NUMBER, MANY, JOB],
  );
  // Those of a job without a lane are still imported.
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id)
     select $1, uuidv7(), case when i > 3 then gen_random_uuid() else $2 end, gen_random_uuid(), 'QUEUED', '+33' || i,
       'FR', 'MOBILE', $3 from generate_series(1, 5) i`,
    [WORKSPACE, JOB, NUMBER],
  );
  await settle(pool, "lanes", "call_rows");
  const cost = await mostReadOf(pool, "lanes", async () => {
    const [number] = await listNumbers(database.db, WORKSPACE);
    expect(number?.queued_calls).toBe(3);
  });
  expect(cost).toBeLessThan(10);
});

test("a person with very many calls is read without reading all of them", async () => {
  await pool.query("insert into contacts (workspace_id, id, phone, name) values ($1, $2, $3, 'Often')", [
    WORKSPACE,
    PERSON,
    PHONE,
  ]);
  // Each began a minute after the one before; one of a hundred was retried for five hours, and so ended out of order.
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
       number_class, phone_number_id, started_at, ended_at)
     select $1, uuidv7(make_interval(mins => -i)), $2, gen_random_uuid(), 'COMPLETED', 'ANSWERED', $3, 'DE', 'MOBILE',
       gen_random_uuid(), at, at + case when i % 100 = 0 then interval '5 hours' else interval '50 seconds' end
       from generate_series(1, $4::int) i cross join lateral (select now() - make_interval(mins => i) as at) x`,
    [WORKSPACE, NO_JOB, PHONE, MANY],
  );
  await settle(pool, "call_rows");
  const shown = await mostReadOf(pool, "call_rows", async () => {
    const { callCount, lastSeenAt } = await getContact(database.db, WORKSPACE, PERSON);
    expect([callCount, Date.parse(String(lastSeenAt)) > Date.now()]).toEqual([1_000, true]);
  });
  expect(shown).toBeLessThan(1_100);
  const pageOf = (page: number, after?: string) =>
    getTimeline(database.db, WORKSPACE, PERSON, { page, size: 20, after });
  const begins: number[] = [];
  const timeline = await mostReadOf(pool, "call_rows", async () => {
    const first = await pageOf(0);
    const next = await pageOf(0, first.nextCursor ?? "");
    begins.splice(0);
    for (const { at } of [...first.content, ...next.content, ...(await pageOf(2)).content]) begins.push(Date.parse(at));
    expect([first.totalElements, first.totalIsExact]).toEqual([10_000, false]);
  });
  // Sixty minutes one after the other, with those that ended much later.
  expect(begins.map((at) => Math.round(((begins[0] ?? 0) - at) / 60_000))).toEqual(
    Array.from({ length: 60 }, (_, i) => i),
  );
  // Three counts end at 10,001 entries.
  expect(timeline).toBeLessThan(3 * 10_001 + 4_000);
  const { rows } = await meanCostOf(pool, "call_rows", async () => {
    const { content } = await readRows(database, "http://x", WORKSPACE, { customerNumber: PHONE });
    expect(content).toHaveLength(20);
  });
  expect(rows).toBeLessThan(200);
});

test("contacts that a far page by name skips are read by an index alone", async () => {
  await pool.query(
    `insert into contacts (workspace_id, id, phone, name)
     select $1, uuidv7(), '+4931' || lpad(i::text, 7, '0'), 'Contact ' || lpad((i / 2)::text, 6, '0')
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "contacts");
  const page = { page: 199, size: 20, after: undefined };
  const { rows } = await meanCostOf(pool, "contacts", async () => {
    const found = await listContacts(database.db, WORKSPACE, {}, { by: "name", isDescending: false }, page);
    expect([found.length, found[0]?.name]).toEqual([21, "Contact 001990"]);
  });
  expect(rows).toBeLessThan(100);
});

test("actions that nobody took are not looked for in all of the audit log", async () => {
  await pool.query(
    `insert into audit_log (workspace_id, id, actor_kind, actor, action)
     select $1, uuidv7(), 'USER', 'a', case when i = 7 then 'POST /jobs' else (array['key.created', 'key.revoked'])[1 + i % 2] end
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "audit_log");
  const countOfAction = async (action: string) =>
    (await getAuditPage(database.db, WORKSPACE, FIRST, { action })).content.length;
  const cost = await mostReadOf(pool, "audit_log", async () => {
    expect(await countOfAction("member.")).toBe(0);
    expect(await countOfAction("flows,jobs")).toBe(1);
  });
  expect(cost).toBeLessThan(20);
  expect(await countOfAction("key.")).toBe(20);
});

test("chats of a rare channel or state are read by an index, and none that a far page skips is summed up", async () => {
  await pool.query(
    `insert into chat_sessions (workspace_id, id, channel, provider, simulated, status, mode, ai_mode, is_inline, plan,
       idle_timeout_seconds, opening_due)
     select $1, uuidv7(make_interval(secs => -i)), case when i % 10000 = 0 then 'CHAT' else 'SMS' end, 'SANDBOX', true,
       (array['CLOSED', 'EXPIRED'])[1 + i % 2], 'FLOW', 'OFF', false, '{}', 60, false from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "chat_sessions");
  const list = (filter: object, page = FIRST) => listChats(database.db, WORKSPACE, filter, NEWEST, page);
  const cost = await mostReadOf(pool, "chat_sessions", async () => {
    expect(await list({ channel: ["CHAT", "CHAT"] })).toHaveLength(4);
    expect(await countChats(database.db, WORKSPACE, { channel: ["CHAT"] })).toBe(4);
    expect(await list({ status: ["FAILED", "HANDED_OFF"] })).toHaveLength(0);
    expect(await list({ handoff: "TAKEN_OVER" })).toHaveLength(0);
    const ended = await list({ status: ["EXPIRED", "CLOSED"] });
    expect(ended.map(({ status }) => status).slice(0, 4)).toEqual(["EXPIRED", "CLOSED", "EXPIRED", "CLOSED"]);
  });
  expect(cost).toBeLessThan(200);
  const looks = await looksAt(pool, "usage_entries", async () => {
    expect(await list({}, { page: 900, size: 20, after: undefined })).toHaveLength(21);
  });
  expect(looks).toBeLessThan(25);
});

test("recordings of a rare state, and numbers of a rare source, are read by an index", async () => {
  await pool.query(
    `insert into transcription_jobs (workspace_id, id, name, provider, metadata_fields, retain_audio)
     values ($1, $2, 'j', 'SANDBOX', '[]', false)`,
    [WORKSPACE, JOB],
  );
  await pool.query(
    `insert into transcription_rows (workspace_id, id, job_id, status, provider, metadata, unknown_metadata_keys)
     select $1, uuidv7(), $2, case when i % 10000 = 0 then 'FAILED' else 'COMPLETED' end, 'SANDBOX', '{}', '{}'
       from generate_series(1, $3::int) i`,
    [WORKSPACE, JOB, MANY],
  );
  await pool.query(
    `insert into do_not_call (workspace_id, number, source)
     select $1, '+4917' || lpad(i::text, 7, '0'), case when i % 10000 = 0 then 'STOP_KEYWORD' else 'OPERATOR' end
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "transcription_rows", "do_not_call");
  const filter = { status: ["QUEUED", "FAILED"] };
  const ofState = await mostReadOf(pool, "transcription_rows", async () => {
    expect(await listRecordings(database.db, WORKSPACE, JOB, filter, FIRST)).toHaveLength(4);
    expect(await countRecordings(database.db, WORKSPACE, JOB, filter)).toBe(4);
  });
  expect(ofState).toBeLessThan(50);
  const wanted = { size: 20, after: "+49170015000", source: "STOP_KEYWORD", startsWith: "" } as const;
  const ofSource = await mostReadOf(pool, "do_not_call", async () => {
    expect(await listEntries(database.db, WORKSPACE, wanted)).toHaveLength(3);
  });
  expect(ofSource).toBeLessThan(50);
});

test("of a flow with very many versions, those to be spoken alone are read", async () => {
  await pool.query(
    `insert into flows (workspace_id, id, api_id, version, definition)
     select $1, case when i = 1 then $2::uuid else gen_random_uuid() end, 'f' || i, 2000, '{}' from generate_series(1, 500) i`,
    [WORKSPACE, JOB],
  );
  await pool.query(
    `insert into flow_versions (workspace_id, flow_id, version, id, definition)
     select workspace_id, id, v, gen_random_uuid(), '{}' from flows
      cross join lateral generate_series(case when id = $1 then 1 else 2000 end, 2000) v`,
    [JOB],
  );
  await settle(pool, "flows", "flow_versions");
  for (const table of ["flows", "flow_versions"]) {
    const cost = await mostReadOf(pool, table, async () => {
      const asked = { workspaceId: WORKSPACE, flowId: JOB };
      const found = await findFlowsByKey(database.db, [asked, { ...asked, version: 7 }]);
      expect(found.map(({ version }) => version)).toEqual(expect.arrayContaining([null, 7]));
    });
    expect(cost).toBeLessThan(10);
  }
});

test("the first page of a workspace without a delivery or a started job looks at the newest alone", async () => {
  await pool.query(
    `insert into webhook_attempts (workspace_id, task_id, attempt, url, response_status, duration_ms, created_at)
     select $1, gen_random_uuid(), 1, 'http://x', case when i = $2::int then 200 else 500 end, 1,
       now() - i * interval '1 second' from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, started_at)
     select $1, uuidv7(make_interval(secs => -i)), 'j', 'PAUSED', '{}', '{}', case when i = $2::int then now() end
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "webhook_attempts", "call_jobs");
  for (const table of ["webhook_attempts", "call_jobs"]) {
    const cost = await mostReadOf(pool, table, async () => {
      const { checklist } = await getOverview(database.db, WORKSPACE);
      expect(checklist).toMatchObject({ hasDelivery: false, hasJob: false });
    });
    expect(cost).toBeLessThan(1_100);
  }
});
