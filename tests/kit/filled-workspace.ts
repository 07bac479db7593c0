import type pg from "pg";

/** Number of calls in the workspace of the dashboard's benchmark. */
export const CALLS = 100_000;
/** Flow of only a few of these calls, and a number in the rarest country. */
export const RARE_FLOW = "flow-07";
export const RARE_NUMBER = "+35315550042";
const DAYS = 30;

const NUMBER = `case when g.i % 997 = 0 then '+353' else (array['+1415', '+4930', '+44207', '+336'])[1 + g.i % 4] end
  || lpad(((g.i::bigint * 7919) % 4000000)::text, 7, '0')`;

/**
 * Status, outcome, end reason and whether there was a conversation, by a number from 0 to 99; the newest calls are
 * live.
 */
const KINDS = `(values
  (0, 57, 'COMPLETED', 'ANSWERED', 'PERSON_HUNG_UP', true), (58, 65, 'COMPLETED', 'VOICEMAIL', 'AGENT_HUNG_UP', true),
  (66, 82, 'FAILED', 'NO_ANSWER', null, false), (83, 88, 'FAILED', 'BUSY', null, false),
  (89, 92, 'FAILED', 'INVALID_NUMBER', null, false), (93, 95, 'SKIPPED', 'BLOCKED', null, false),
  (96, 97, 'CANCELLED', 'CANCELLED', null, false), (98, 98, 'WAITING_FOR_RETRY', null, null, false),
  (99, 99, 'QUEUED', null, null, false)) as k(lowest, highest, status, outcome, end_reason, talked)`;

const callRows = (calls: number) => `
insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, end_reason, answered_by, customer_number,
  number_country, number_class, phone_number_id, contact_name, context_data, flow_api_id, flow_version, due_at,
  attempts_made, max_attempts, created_at, started_at, answered_at, ended_at, updated_at, direction)
select $1, (substr(h.hex, 1, 8) || '-' || substr(h.hex, 9, 4) || '-7' || substr(h.noise, 1, 3) || '-8' ||
         substr(h.noise, 4, 3) || '-' || substr(h.noise, 7, 12))::uuid,
  case when g.i % 3 = 0 then '00000000-0000-0000-0000-000000000000' else '01900000-0000-7000-8000-000000000001' end::uuid,
  gen_random_uuid(), case when g.i % 20011 = 0 then 'UNCONFIRMED' else k.status end, k.outcome, k.end_reason,
  case when k.talked then 'HUMAN' end, ${NUMBER}, 'ZZ', 'MOBILE', $2,
  case when g.i % 2 = 0 then 'Contact ' || g.i end, '{"ticket":' || g.i || '}',
  case when g.i % 1009 = 0 then '${RARE_FLOW}' else 'flow-0' || (g.i % 6) end, 1,
  case when k.status in ('QUEUED', 'WAITING_FOR_RETRY') then now() + interval '30 days' else h.at end,
  case when k.status = 'QUEUED' then 0 else 1 end, 2, h.at, case when k.status <> 'QUEUED' then h.at end,
  case when k.talked then h.at + interval '6 seconds' end,
  case when k.outcome is not null then h.at + interval '90 seconds' end, h.at, 'OUTBOUND'
from generate_series(1, ${calls}) g(i)
cross join lateral (select now() - (g.i::float8 / ${calls}) * interval '${DAYS} days' as at) d
cross join lateral (select d.at, md5(g.i::text) as noise,
  lpad(to_hex((extract(epoch from d.at) * 1000)::bigint), 12, '0') as hex) h
join ${KINDS} on (g.i * 37) % 100 between k.lowest and k.highest`;

const RESULTS = `
insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms,
  usage, recorded)
select r.workspace_id, r.id, t.transcript, '{"booking":{"value":{"day":"Monday"},"valid":true,"errors":[],"extractedAt":"2026-01-05T09:00:00Z"}}',
  '{"day":"Monday"}', 84000, '[310, 420, 390, 510]', '{}', false
from call_rows r cross join (
  select json_agg(json_build_object('index', i, 'role', case when i % 2 = 0 then 'ASSISTANT' else 'USER' end,
    'content', 'This is turn ' || i || ' of a talk about an appointment on Monday morning at the clinic.',
    'startMs', i * 6000, 'endMs', i * 6000 + 5000, 'interrupted', false, 'toolCallId', null)) as transcript
  from generate_series(0, 11) i) t
where r.workspace_id = $1 and r.answered_at is not null`;

const ATTEMPTS = `
insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider,
  submitted_at, answered_at, ended_at, outcome)
select workspace_id, gen_random_uuid(), id, 1, 'ENDED', phone_number_id, customer_number, 'SANDBOX', started_at,
  answered_at, started_at + interval '90 seconds', coalesce(outcome, 'NO_ANSWER')
from call_rows where workspace_id = $1 and started_at is not null`;

const USAGE = `
insert into usage_entries (workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type, subject_id, created_at)
select r.workspace_id, overlay(r.id::text placing u.digits from 35)::uuid, u.kind, 84, 0.0002, 0.0168, true, 'CALL', r.id, r.created_at
from call_rows r
cross join (values ('TELEPHONY_SECOND', '01'), ('MODEL_INPUT_TOKEN', '02'), ('MODEL_OUTPUT_TOKEN', '03')) u(kind, digits)
where r.workspace_id = $1 and r.answered_at is not null`;

const EVENTS = `
insert into events (workspace_id, id, type, subject_id, data, created_at)
select workspace_id, id, 'call.ended', id, '{}', created_at from call_rows where workspace_id = $1`;

const CONTACTS = `
insert into contacts (workspace_id, id, phone, name)
select $1, gen_random_uuid(), '+4915' || lpad(i::text, 8, '0'), 'Contact ' || i from generate_series(1, $2::int) i`;

const TASKS = `
insert into tasks (id, workspace_id, kind, subject_id, payload, status, created_at, finished_at)
select gen_random_uuid(), $1, case i % 2 when 0 then 'session.event' else 'calls.fill_outputs' end, gen_random_uuid(), '{}',
  'DONE', now() - make_interval(secs => i), now() - make_interval(secs => i) from generate_series(1, $2::int) i`;

const AUDIT = `
insert into audit_log (workspace_id, id, actor_kind, actor, action, created_at)
select $1, overlay(gen_random_uuid()::text placing left(h.hex, 8) || '-' || right(h.hex, 4) from 1)::uuid, 'USER',
  'somebody@example.com', 'FLOW_SAVED', h.at
from generate_series(1, $2::int) i
cross join lateral (select now() - make_interval(secs => i) as at) d
cross join lateral (select d.at, lpad(to_hex((extract(epoch from d.at) * 1000)::bigint), 12, '0') as hex) h`;

/** Fills a workspace with a month of calls, their transcripts, attempts and costs, which PostgreSQL then knows of. */
export async function fillWithCalls(client: pg.Client, workspaceId: string, calls = CALLS): Promise<void> {
  await insertCalls(client, workspaceId, calls);
  for (const table of ["call_rows", "call_results", "call_attempts", "usage_entries", "events"])
    await client.query(`vacuum analyze ${table}`);
}

/**
 * Fills a workspace in the same way, without statistics of it. In one transaction: a server that runs meanwhile adds up
 * what it sees of a call once, and plans for tables as they are, not for those that are still empty.
 */
export async function insertCalls(client: pg.Client, workspaceId: string, calls: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>("select id from phone_numbers where workspace_id = $1 limit 1", [
    workspaceId,
  ]);
  await client.query("begin");
  await client.query(callRows(calls), [workspaceId, rows[0]?.id]);
  for (const statement of [RESULTS, ATTEMPTS, USAGE, EVENTS]) await client.query(statement, [workspaceId]);
  await client.query("commit");
}

/** Fills a workspace with people, finished tasks and audit entries, each `count` times. */
export async function fillWithOthers(client: pg.Client, workspaceId: string, count: number): Promise<void> {
  await insertOthers(client, workspaceId, count);
  await client.query("vacuum analyze contacts, tasks, audit_log, call_names, call_numbers");
}

/** Fills a workspace in the same way, without statistics of it. */
export async function insertOthers(client: pg.Client, workspaceId: string, count: number): Promise<void> {
  for (const statement of [CONTACTS, TASKS, AUDIT]) await client.query(statement, [workspaceId, count]);
}
