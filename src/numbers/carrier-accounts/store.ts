import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** A stored account of a carrier; its secrets are sealed. */
export interface CarrierAccountRow {
  workspace_id: string;
  id: string;
  provider: string;
  label: string;
  settings: Record<string, string>;
  secrets: Buffer;
  status: "ACTIVE" | "FAILED";
  status_message: string | null;
  calls_per_second: number;
  checked_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** Numbers of the workspace that use the account, including those still to be returned to the carrier. */
  numbers: number;
}

const COLUMNS = sql`a.workspace_id, a.id, a.provider, a.label, a.settings, a.secrets, a.status, a.status_message,
  a.calls_per_second::float8 as calls_per_second, a.checked_at, a.created_at, a.updated_at`;
const COUNTED = sql`${COLUMNS}, (select count(*) from phone_numbers p where p.workspace_id = a.workspace_id
  and p.carrier_account_id = a.id and (p.status <> 'RELEASED' or p.was_bought or p.ordered_at is not null)) as numbers`;

/** Returns one account of a workspace. */
export function findAccount(
  tx: Executor,
  workspaceId: string,
  id: string,
): Promise<Omit<CarrierAccountRow, "numbers"> | undefined> {
  return first(
    tx,
    sql`select ${COLUMNS} from carrier_accounts a where a.workspace_id = ${workspaceId} and a.id = ${id}::uuid`,
  );
}

/** Returns one account by its id alone, which is all that a webhook or an operator names. */
export function findAccountAnywhere(tx: Executor, id: string): Promise<CarrierAccountRow | undefined> {
  return first(tx, sql`select ${COUNTED} from carrier_accounts a where a.id = ${id}::uuid`);
}

/** Returns the accounts of a workspace, or of all of them, oldest first. */
export function listAccounts(tx: Executor, workspaceId: string | null): Promise<CarrierAccountRow[]> {
  return all(
    tx,
    sql`select ${COUNTED} from carrier_accounts a
        where ${workspaceId}::uuid is null or a.workspace_id = ${workspaceId}::uuid order by a.id`,
  );
}

/** Returns the accounts of a workspace with one carrier, oldest first. */
export function listAccountsWith(
  tx: Executor,
  workspaceId: string,
  provider: string,
): Promise<{ id: string; status: "ACTIVE" | "FAILED"; status_message: string | null }[]> {
  return all(
    tx,
    sql`select id, status, status_message from carrier_accounts
        where workspace_id = ${workspaceId} and provider = ${provider} order by id`,
  );
}

/** Columns of an account that are written. */
export type AccountToSave = Pick<
  CarrierAccountRow,
  "id" | "provider" | "label" | "settings" | "secrets" | "calls_per_second"
> & { isChecked: boolean };

/** Stores a new or changed account, which is ACTIVE from then on. */
export async function saveAccount(tx: Executor, workspaceId: string, row: AccountToSave): Promise<void> {
  await all(
    tx,
    sql`insert into carrier_accounts (workspace_id, id, provider, label, settings, secrets, status, calls_per_second, checked_at)
        values (${workspaceId}, ${row.id}, ${row.provider}, ${row.label}, ${JSON.stringify(row.settings)}::json,
                ${row.secrets}, 'ACTIVE', ${row.calls_per_second}, case when ${row.isChecked}::boolean then now() end)
        on conflict (workspace_id, id) do update set label = excluded.label, settings = excluded.settings,
          secrets = excluded.secrets, status = 'ACTIVE', status_message = null,
          calls_per_second = excluded.calls_per_second,
          checked_at = coalesce(excluded.checked_at, carrier_accounts.checked_at), updated_at = now()`,
  );
}

/**
 * Writes the status of an account and its carrier's message; true when the status changed. `updated_at` stays, because
 * settings and secrets do.
 */
export async function setAccountStatus(
  tx: Executor,
  workspaceId: string,
  id: string,
  status: CarrierAccountRow["status"],
  message: string | null,
): Promise<boolean> {
  const before = await first<{ status: string }>(
    tx,
    sql`select status from carrier_accounts where workspace_id = ${workspaceId} and id = ${id} for update`,
  );
  await all(
    tx,
    sql`update carrier_accounts set status = ${status}, status_message = ${message}, checked_at = now()
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return before !== undefined && before.status !== status;
}

/** Locks an account against numbers that start to use it, and against a second removal. */
export async function lockAccount(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const found = await first(
    tx,
    sql`select id from carrier_accounts where workspace_id = ${workspaceId} and id = ${id} for update`,
  );
  return found !== undefined;
}

/** Prevents the removal of an account, but no other write to it. */
export async function shareAccount(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const found = await first(
    tx,
    sql`select id from carrier_accounts where workspace_id = ${workspaceId} and id = ${id} for key share`,
  );
  return found !== undefined;
}

/** Removes an account. */
export async function deleteAccount(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(tx, sql`delete from carrier_accounts where workspace_id = ${workspaceId} and id = ${id}`);
}
