import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { type ClaimedRow, REPORTS_START } from "#src/interactions/dispatch/claim.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { creditUsedUpSql } from "#src/tenancy/usage/credit.ts";

/** State of a called number of ours while its slots are locked. */
export interface CalledNumber {
  carrier_account_id: string | null;
  is_simulated: boolean;
  /** True when an operator suspended the number. */
  is_stopped: boolean;
  has_slot: boolean;
  has_credit: boolean;
  /** True while this node may take calls. */
  is_node_alive: boolean;
}

/** Locks a number, so that no other call takes or frees a slot of it in the meantime. */
export function lockCalledNumber(
  tx: Executor,
  workspaceId: string,
  { phoneNumberId, nodeId }: { phoneNumberId: string; nodeId: string },
): Promise<CalledNumber | undefined> {
  return first(
    tx,
    sql`select p.carrier_account_id, w.mode = 'SANDBOX' or p.provider = 'SANDBOX' as is_simulated,
               p.status = 'SUSPENDED' and p.suspended_by is distinct from 'CARRIER' as is_stopped,
               p.active_calls < p.max_concurrent_calls as has_slot,
               not ${sql.raw(creditUsedUpSql("w.id"))} as has_credit,
               exists (select 1 from nodes where id = ${nodeId} and alive_until > now()) as is_node_alive
          from phone_numbers p join workspaces w on w.id = p.workspace_id
         where p.workspace_id = ${workspaceId} and p.id = ${phoneNumberId} and p.status <> 'RELEASED'
           for update of p`,
  );
}

/** A call that was taken before. */
export interface KnownCall {
  /** Null once the call is over. */
  attempt_id: string | null;
  lease_owner: string | null;
}

/** Returns the call with this id of the carrier; undefined for a new call. */
export function findInboundCall(
  tx: Executor,
  workspaceId: string,
  call: { phoneNumberId: string; providerCallId: string },
): Promise<KnownCall | undefined> {
  return first(
    tx,
    sql`select attempt_id, lease_owner from call_rows
         where workspace_id = ${workspaceId} and phone_number_id = ${call.phoneNumberId}
           and inbound_call_id = ${call.providerCallId}`,
  );
}

/** An inbound call to store. */
export interface NewInboundCall {
  rowId: string;
  sessionId: string;
  attemptId: string;
  nodeId: string;
  providerCallId: string;
  phoneNumberId: string;
  customerNumber: string;
  country: string;
  numberClass: string;
  /** Stands in for the attempt's number when another call of ours holds the person lock. */
  standIn: string;
  flowId: string | null;
  flowApiId: string | null;
  flowVersion: number | null;
}

/**
 * TAKE, one statement: stores the row under this node's lease, its answered attempt, and the slots of number and lane,
 * which FINISH releases. The lane is that of single calls, created if there is none, because FINISH counts there too.
 * The caller has locked the number.
 */
export async function insertInboundCall(tx: Executor, workspaceId: string, call: NewInboundCall): Promise<ClaimedRow> {
  const rows = await all<ClaimedRow>(
    tx,
    sql`with slot as (
          update phone_numbers set active_calls = active_calls + 1
           where workspace_id = ${workspaceId} and id = ${call.phoneNumberId}
          returning workspace_id, id, number, provider, carrier_account_id
        ),
        lane as (
          insert into lanes as l (workspace_id, phone_number_id, job_id, active_calls)
          select workspace_id, id, ${NO_JOB}::uuid, 1 from slot
          on conflict (workspace_id, phone_number_id, job_id) do update set active_calls = l.active_calls + 1
        ),
        taken as (
          insert into call_rows (workspace_id, id, job_id, session_id, direction, inbound_call_id, status,
                                 customer_number, number_country, number_class, phone_number_id, flow_id, flow_api_id,
                                 flow_version, attempts_made, lease_owner, attempt_id, started_at)
          select workspace_id, ${call.rowId}::uuid, ${NO_JOB}::uuid, ${call.sessionId}::uuid, 'INBOUND',
                 ${call.providerCallId}, 'DIALING', ${call.customerNumber}, ${call.country}, ${call.numberClass}, id,
                 ${call.flowId}::uuid, ${call.flowApiId}, ${call.flowVersion}::int, 1, ${call.nodeId}::uuid,
                 ${call.attemptId}::uuid, now()
            from slot
          returning *
        ),
        attempt as (
          insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number,
                                     provider, provider_call_id, answered_at, answered_by)
          select t.workspace_id, t.attempt_id, t.id, 1, 'IN_PROGRESS', t.phone_number_id,
                 case when exists (select 1 from call_attempts a where a.workspace_id = t.workspace_id
                                      and a.customer_number = t.customer_number and a.ended_at is null)
                      then ${call.standIn} else t.customer_number end,
                 s.provider, t.inbound_call_id, now(), 'HUMAN'
            from taken t cross join slot s
        )
        select t.*, null as blocked, s.number as from_number, s.provider, s.carrier_account_id, w.mode, w.sandbox_speed,
               t.retry_config as retry, t.inline_flow as inline, ${sql.raw(REPORTS_START)}
          from taken t cross join slot s join workspaces w on w.id = t.workspace_id`,
  );
  return rows[0] as ClaimedRow;
}
