import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { NumberCapability } from "#src/telephony/carriers/number-provisioning.ts";
import type { SipTrunk } from "./sip-trunk.ts";

/** Cause of a suspension: a person, or a refusal of the carrier. */
export type SuspendedBy = "OPERATOR" | "CARRIER";

export interface PhoneNumberRow {
  id: string;
  number: string;
  provider: string;
  asked_provider: string;
  carrier_account_id: string | null;
  sip_trunk: SipTrunk | null;
  sip_secret: Buffer | null;
  inbound_flow_id: string | null;
  label: string | null;
  status: string;
  status_message: string | null;
  max_concurrent_calls: number;
  active_calls: number;
  created_at: Date;
  updated_at: Date;
  is_default: boolean;
  queued_calls: number;
  inbound_calls: number;
  external_id: string | null;
  was_bought: boolean;
  ordered_at: Date | null;
  suspended_by: SuspendedBy | null;
  capabilities: NumberCapability[] | null;
  /** Calls per second: the number's own pace, else its account's. */
  pace: number | null;
  /** Shares of the dials of seven days that a person, or a machine, answered. */
  answer_rate: number | null;
  machine_rate: number | null;
}

/** Limit on the queue that is counted for each number: a page has a hundred, each of which may have a million rows. */
const MOST_QUEUED = 1_000;

/** Rows r that wait in the queue of a number p. */
const WAITS = sql.raw("r.phone_number_id = p.id and r.status in ('QUEUED', 'WAITING_FOR_RETRY')");

const COLUMNS = sql`p.*, coalesce(w.default_phone_number_id = p.id, false) as is_default,
  -- By the queue's index, from job to job, so that lanes of jobs that have no row left are not looked at. A lane shows
  -- that the rows of a job count: an import opens it at its end, and its rows, which nobody can see yet, are not read
  -- again and again. In the order of the index, and with a limit that the planner cannot see: it takes a list of a
  -- million for a short one, and would collect all of it before it counts.
  (with recursive jobs as (
     (select r.job_id from call_rows r where ${WAITS} order by r.job_id limit 1)
     union all
     select (select r.job_id from call_rows r where ${WAITS} and r.job_id > jobs.job_id order by r.job_id limit 1)
       from jobs where jobs.job_id is not null
   )
   select count(*) from (
     select 1 from jobs
      cross join lateral (select from lanes l where l.workspace_id = p.workspace_id and l.phone_number_id = p.id
                             and l.job_id = jobs.job_id offset 0) lane
      cross join lateral (select 1 from call_rows r where ${WAITS} and r.job_id = jobs.job_id
                           order by r.due_at, r.id limit (select ${sql.lit(MOST_QUEUED)})) queued
      limit ${sql.lit(MOST_QUEUED)}) q) as queued_calls,
  (select count(*)::int from call_rows r where r.workspace_id = p.workspace_id and r.phone_number_id = p.id
     and r.direction = 'INBOUND' and r.ended_at is null) as inbound_calls,
  coalesce(p.calls_per_second, (select a.calls_per_second from carrier_accounts a where a.workspace_id = p.workspace_id
     and a.id = p.carrier_account_id))::float8 as pace,
  sums.answer_rate, sums.machine_rate`;

/**
 * Shares of a workspace's dials by number, as `GET /results?channel=OUTBOUND&lastDays=7` counts them in the workspace's
 * zone: from the kept sums, so that no two screens differ.
 */
const sumsOf = (workspaceId: string) => sql`
  left join (select phone_number_id, sum(dial_persons)::float8 / sum(dials) as answer_rate,
               sum(dial_machines)::float8 / sum(dials) as machine_rate
          from result_sums where workspace_id = ${workspaceId} and channel = 'OUTBOUND' and dials > 0
           and bucket_at >= (select ((now() at time zone time_zone)::date - 6)::timestamp at time zone time_zone
                               from workspaces where id = ${workspaceId})
         group by phone_number_id) sums on sums.phone_number_id = p.id`;

/** The counted columns where nobody shows them. */
const NOT_COUNTED = sql`0 as queued_calls, 0 as inbound_calls, null as pace, null as answer_rate, null as machine_rate`;

/** Returns all numbers of a workspace that were not released, oldest first. */
export function listNumbers(tx: Executor, workspaceId: string): Promise<PhoneNumberRow[]> {
  return all(
    tx,
    sql`select ${COLUMNS} from phone_numbers p join workspaces w on w.id = p.workspace_id ${sumsOf(workspaceId)}
        where p.workspace_id = ${workspaceId} and p.status <> 'RELEASED' order by p.id`,
  );
}

/** Returns one number by id. */
export function findNumber(tx: Executor, workspaceId: string, id: string): Promise<PhoneNumberRow | undefined> {
  return first(
    tx,
    sql`select ${COLUMNS} from phone_numbers p join workspaces w on w.id = p.workspace_id ${sumsOf(workspaceId)}
        where p.workspace_id = ${workspaceId} and p.id = ${id} and p.status <> 'RELEASED'`,
  );
}

/** Returns the numbers of a workspace by their E.164 form. */
export function findByNumbers(tx: Executor, workspaceId: string, numbers: string[]): Promise<PhoneNumberRow[]> {
  return all(
    tx,
    sql`select p.*, false as is_default, ${NOT_COUNTED} from phone_numbers p
        where p.workspace_id = ${workspaceId} and p.number = any(${numbers}::text[]) and p.status <> 'RELEASED'`,
  );
}

/** Returns the workspace's number for calls that name none. */
export function findDefaultNumber(tx: Executor, workspaceId: string): Promise<PhoneNumberRow | undefined> {
  return first(
    tx,
    sql`select p.*, true as is_default, ${NOT_COUNTED} from workspaces w
        join phone_numbers p on p.workspace_id = w.id and p.id = w.default_phone_number_id
        where w.id = ${workspaceId} and p.status <> 'RELEASED'`,
  );
}

/** Columns of a new number. */
export type NumberToInsert = Pick<
  PhoneNumberRow,
  | "id"
  | "number"
  | "provider"
  | "asked_provider"
  | "label"
  | "status"
  | "status_message"
  | "max_concurrent_calls"
  | "carrier_account_id"
  | "external_id"
  | "capabilities"
  | "suspended_by"
>;

/** Stores a number, or brings a released one back; undefined when the workspace already has it. */
export function insertNumber(
  tx: Executor,
  workspaceId: string,
  row: NumberToInsert,
): Promise<{ id: string } | undefined> {
  return first(
    tx,
    sql`insert into phone_numbers (workspace_id, id, number, provider, asked_provider, label, status, status_message,
          max_concurrent_calls, carrier_account_id, external_id, capabilities, suspended_by)
        values (${workspaceId}, ${row.id}, ${row.number}, ${row.provider}, ${row.asked_provider}, ${row.label},
                ${row.status}, ${row.status_message}, ${row.max_concurrent_calls}, ${row.carrier_account_id},
                ${row.external_id}, ${row.capabilities === null ? null : JSON.stringify(row.capabilities)}::json,
                ${row.suspended_by})
        on conflict (workspace_id, number) do update set provider = excluded.provider,
          asked_provider = excluded.asked_provider, sip_trunk = null, sip_secret = null, inbound_flow_id = null, label = excluded.label,
          status = excluded.status, status_message = excluded.status_message,
          carrier_account_id = excluded.carrier_account_id, external_id = excluded.external_id,
          capabilities = excluded.capabilities, suspended_by = excluded.suspended_by, calls_per_second = null,
          was_bought = phone_numbers.was_bought and phone_numbers.carrier_account_id = excluded.carrier_account_id
            and excluded.external_id is not null,
          ordered_at = null, stopped_with_account = false,
          max_concurrent_calls = excluded.max_concurrent_calls, updated_at = now()
          where phone_numbers.status = 'RELEASED'
        returning id`,
  );
}

/** Locks a number, so that no call starts or ends on it meanwhile. */
export function lockNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
): Promise<{ active_calls: number } | undefined> {
  return first(
    tx,
    sql`select active_calls from phone_numbers
        where workspace_id = ${workspaceId} and id = ${id} and status <> 'RELEASED' for update`,
  );
}

/** The columns of a number's status, as a person changes it. */
export type NumberState = Pick<PhoneNumberRow, "status" | "status_message" | "suspended_by" | "ordered_at">;

/** Writes the changeable settings of a number. */
export async function updateNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
  row: NumberState & Pick<PhoneNumberRow, "label" | "sip_trunk" | "sip_secret"> & { maxConcurrentCalls: number },
): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set label = ${row.label}, status = ${row.status}, status_message = ${row.status_message},
          suspended_by = ${row.suspended_by}, ordered_at = ${row.ordered_at},
          stopped_with_account = stopped_with_account and ${row.suspended_by}::text is not distinct from 'CARRIER',
          max_concurrent_calls = ${row.maxConcurrentCalls}, sip_trunk = ${row.sip_trunk === null ? null : JSON.stringify(row.sip_trunk)},
          sip_secret = ${row.sip_secret}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Sets a number's own pace; null: the pace of its account. */
export async function setPace(
  tx: Executor,
  workspaceId: string,
  id: string,
  callsPerSecond: number | null,
): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set calls_per_second = ${callsPerSecond}::numeric, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** True while the list of a job that will call from the number is being read. */
export async function isImportedFor(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const jobs = await all(
    tx,
    sql`select 1 from call_jobs where workspace_id = ${workspaceId} and status = 'IMPORTING'
          and ${id} = any(phone_number_ids) limit 1`,
  );
  return jobs.length > 0;
}

/** Marks a number released and no longer the default. */
export async function releaseNumber(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set status = 'RELEASED', updated_at = now() where workspace_id = ${workspaceId} and id = ${id}`,
  );
  await all(
    tx,
    sql`update workspaces set default_phone_number_id = null
        where id = ${workspaceId} and default_phone_number_id = ${id}`,
  );
}

/** Makes a number the workspace's default; null: no default. */
export async function setDefaultNumber(tx: Executor, workspaceId: string, id: string | null): Promise<void> {
  await all(tx, sql`update workspaces set default_phone_number_id = ${id} where id = ${workspaceId}`);
}

/** Sets the flow that answers calls and messages to a number; null: the workspace's default flow. */
export async function setInboundFlow(
  tx: Executor,
  workspaceId: string,
  id: string,
  flowId: string | null,
): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set inbound_flow_id = ${flowId}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}
