import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import type { OwnedNumber } from "#src/telephony/carriers/number-provisioning.ts";

/** A number that is being set up. */
export interface PendingNumber {
  workspace_id: string;
  id: string;
  number: string;
  carrier_account_id: string;
  external_id: string | null;
  was_bought: boolean;
  ordered_at: Date | null;
}

/** Returns the number while it is PENDING. */
export function findPending(tx: Executor, workspaceId: string, id: string): Promise<PendingNumber | undefined> {
  return first(
    tx,
    sql`select workspace_id, id, number, carrier_account_id, external_id, was_bought, ordered_at from phone_numbers
        where workspace_id = ${workspaceId} and id = ${id} and status = 'PENDING' and carrier_account_id is not null`,
  );
}

/**
 * Stores the intent to order a number; only one of concurrent attempts succeeds. False when it was ordered or released
 * meanwhile.
 */
export async function markOrdered(tx: Executor, { workspace_id, id }: PendingNumber): Promise<boolean> {
  const found = await first(
    tx,
    sql`update phone_numbers set ordered_at = now()
        where workspace_id = ${workspace_id} and id = ${id} and status = 'PENDING' and ordered_at is null returning id`,
  );
  return found !== undefined;
}

/** Clears the intent to order, because the carrier refused the order. */
export async function forgetOrder(tx: Executor, { workspace_id, id }: PendingNumber): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set ordered_at = null
        where workspace_id = ${workspace_id} and id = ${id} and not was_bought`,
  );
}

/** Stores that the number was bought here, even when it was released while the order was under way. */
export async function keepBought(tx: Executor, { workspace_id, id }: PendingNumber, owned: OwnedNumber): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set was_bought = true, external_id = ${owned.externalId},
          capabilities = ${JSON.stringify(owned.capabilities)}::json, updated_at = now()
        where workspace_id = ${workspace_id} and id = ${id} and ordered_at is not null`,
  );
}

/** Stores the reason why a number is still PENDING. */
export async function noteWaiting(tx: Executor, { workspace_id, id }: PendingNumber, message: string): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set status_message = ${message}
        where workspace_id = ${workspace_id} and id = ${id} and status = 'PENDING'`,
  );
}

type ProvisionEnd = { status: "ACTIVE"; owned: OwnedNumber } | { status: "FAILED"; message: string };

/** Ends the setup of a number and emits the event; does nothing when it was released meanwhile. */
export async function endProvision(
  db: Executor,
  { workspace_id, id, number }: PendingNumber,
  end: ProvisionEnd,
): Promise<void> {
  const owned = end.status === "ACTIVE" ? end.owned : null;
  const message = end.status === "FAILED" ? end.message : null;
  await db.transaction().execute(async (tx) => {
    const ended = await first(
      tx,
      sql`update phone_numbers set status = ${end.status}, status_message = ${message}, updated_at = now(),
            external_id = coalesce(${owned?.externalId ?? null}, external_id),
            capabilities = coalesce(${owned ? JSON.stringify(owned.capabilities) : null}::json, capabilities)
          where workspace_id = ${workspace_id} and id = ${id} and status = 'PENDING' returning id`,
    );
    if (!ended) return;
    const type = end.status === "ACTIVE" ? "phone_number.ready" : "phone_number.failed";
    await appendEvents(tx, workspace_id, [{ type, subjectId: id, data: { number, message } }]);
  });
}

/** True when the workspace has a released number again, with the same account. */
export async function isHeldAgain(tx: Executor, workspaceId: string, id: string, accountId: string): Promise<boolean> {
  const found = await first(
    tx,
    sql`select id from phone_numbers where workspace_id = ${workspaceId} and id = ${id}
          and carrier_account_id = ${accountId}::uuid and status <> 'RELEASED'`,
  );
  return found !== undefined;
}

/** Marks a released number as returned: nothing is left to give back. */
export async function markGivenBack(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update phone_numbers set was_bought = false, ordered_at = null
        where workspace_id = ${workspaceId} and id = ${id} and status = 'RELEASED'`,
  );
}
