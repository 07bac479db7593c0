import { all, type Executor, first, sql } from "#src/db/database.ts";
import type { SipTrunk } from "./sip-trunk.ts";

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
}

const COLUMNS = sql`p.*, coalesce(w.default_phone_number_id = p.id, false) as is_default,
  (select count(*) from call_rows r where r.workspace_id = p.workspace_id and r.phone_number_id = p.id
     and r.status in ('QUEUED', 'WAITING_FOR_RETRY')) as queued_calls,
  (select count(*)::int from call_rows r where r.workspace_id = p.workspace_id and r.phone_number_id = p.id
     and r.direction = 'INBOUND' and r.ended_at is null) as inbound_calls`;

/** All numbers of a workspace that were not released, oldest first. */
export function listNumbers(tx: Executor, workspaceId: string): Promise<PhoneNumberRow[]> {
  return all(
    tx,
    sql`select ${COLUMNS} from phone_numbers p join workspaces w on w.id = p.workspace_id
        where p.workspace_id = ${workspaceId} and p.status <> 'RELEASED' order by p.id`,
  );
}

/** One number by id. */
export function findNumber(tx: Executor, workspaceId: string, id: string): Promise<PhoneNumberRow | undefined> {
  return first(
    tx,
    sql`select ${COLUMNS} from phone_numbers p join workspaces w on w.id = p.workspace_id
        where p.workspace_id = ${workspaceId} and p.id = ${id} and p.status <> 'RELEASED'`,
  );
}

/** The numbers of a workspace by their E.164 form. */
export function findByNumbers(tx: Executor, workspaceId: string, numbers: string[]): Promise<PhoneNumberRow[]> {
  return all(
    tx,
    sql`select p.*, false as is_default, 0 as queued_calls, 0 as inbound_calls from phone_numbers p
        where p.workspace_id = ${workspaceId} and p.number = any(${numbers}::text[]) and p.status <> 'RELEASED'`,
  );
}

/** The workspace's number for calls that name none. */
export function findDefaultNumber(tx: Executor, workspaceId: string): Promise<PhoneNumberRow | undefined> {
  return first(
    tx,
    sql`select p.*, true as is_default, 0 as queued_calls, 0 as inbound_calls from workspaces w
        join phone_numbers p on p.workspace_id = w.id and p.id = w.default_phone_number_id
        where w.id = ${workspaceId} and p.status <> 'RELEASED'`,
  );
}

/** Stores a number, or brings a released one back; undefined when the workspace already has it. */
export function insertNumber(
  tx: Executor,
  workspaceId: string,
  row: Pick<
    PhoneNumberRow,
    "id" | "number" | "provider" | "asked_provider" | "label" | "status" | "status_message" | "max_concurrent_calls"
  >,
): Promise<{ id: string } | undefined> {
  return first(
    tx,
    sql`insert into phone_numbers (workspace_id, id, number, provider, asked_provider, label, status, status_message,
          max_concurrent_calls)
        values (${workspaceId}, ${row.id}, ${row.number}, ${row.provider}, ${row.asked_provider}, ${row.label},
                ${row.status}, ${row.status_message}, ${row.max_concurrent_calls})
        on conflict (workspace_id, number) do update set provider = excluded.provider,
          asked_provider = excluded.asked_provider, sip_trunk = null, sip_secret = null, inbound_flow_id = null, label = excluded.label,
          status = excluded.status, status_message = excluded.status_message,
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

/** Writes the changeable settings of a number. */
export async function updateNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
  row: Pick<PhoneNumberRow, "label" | "status" | "sip_trunk" | "sip_secret"> & { maxConcurrentCalls: number },
): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set label = ${row.label}, status = ${row.status},
          max_concurrent_calls = ${row.maxConcurrentCalls}, sip_trunk = ${row.sip_trunk === null ? null : JSON.stringify(row.sip_trunk)},
          sip_secret = ${row.sip_secret}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
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

/** Makes a number the workspace's default; null: it has none. */
export async function setDefaultNumber(tx: Executor, workspaceId: string, id: string | null): Promise<void> {
  await all(tx, sql`update workspaces set default_phone_number_id = ${id} where id = ${workspaceId}`);
}

/** Names the flow that answers who writes to a number; null: the workspace's default flow does. */
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
