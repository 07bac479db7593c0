import { failAccount, reviveAccount, wasMended } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import { all, type Database, type Executor, first, sql } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { now } from "#src/platform/kernel/clock.ts";

/** The number, and its account, whose calls a carrier refused. */
export interface RefusedNumber {
  workspaceId: string;
  phoneNumberId: string;
  carrierAccountId: string | null;
}

/** A refusal that applies to every other call from the number, or of the account. */
export interface CarrierRefusal {
  blame: "NUMBER" | "ACCOUNT";
  code: string;
  message: string;
  /** Time of the request by the database's clock: a refusal of keys that were replaced since then does not count. */
  askedAt?: Date;
}

/**
 * Suspends what a carrier refuses as a whole, so that rows wait instead of being used up: the number, or the account
 * with all its numbers. A suspended number stays as it is, so a hundred refusals at once announce one event.
 */
export function noteRefusal(
  { db }: Pick<Database, "db">,
  { workspaceId, phoneNumberId, carrierAccountId }: RefusedNumber,
  { blame, code, message, askedAt = now() }: CarrierRefusal,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if (blame === "ACCOUNT" && carrierAccountId !== null) {
      if (await wasMended(tx, workspaceId, carrierAccountId, askedAt)) return;
      await stopAccount(tx, workspaceId, carrierAccountId, { code, message });
      return;
    }
    const stopped = await first<{ id: string }>(
      tx,
      sql`update phone_numbers set status = 'SUSPENDED', suspended_by = 'CARRIER', status_message = ${message}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${phoneNumberId}::uuid and status = 'ACTIVE' returning id`,
    );
    if (stopped) await announce(tx, workspaceId, [stopped.id], { code, message });
  });
}

/** Resumes a number that was suspended with exactly this message, because its reason is gone. */
export async function resumeNumber(
  { db }: Pick<Database, "db">,
  { workspaceId, phoneNumberId }: RefusedNumber,
  message: string,
): Promise<void> {
  await all(
    db,
    sql`update phone_numbers set status = 'ACTIVE', suspended_by = null, status_message = null, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${phoneNumberId}::uuid and status = 'SUSPENDED'
          and suspended_by = 'CARRIER' and status_message = ${message}`,
  );
}

/** Marks an account FAILED, and suspends its numbers. */
export async function stopAccount(
  tx: Executor,
  workspaceId: string,
  accountId: string,
  { code, message }: { code: string; message: string },
): Promise<void> {
  // The account first, as everywhere, so that locks on both are always taken in this order.
  await failAccount(tx, workspaceId, accountId, message);
  const stopped = await all<{ id: string }>(
    tx,
    sql`update phone_numbers set status = 'SUSPENDED', suspended_by = 'CARRIER', status_message = ${message},
          stopped_with_account = true, updated_at = now()
        where workspace_id = ${workspaceId} and carrier_account_id = ${accountId}::uuid and status = 'ACTIVE' returning id`,
  );
  const ids = stopped.map((row) => row.id);
  await announce(tx, workspaceId, ids, { code, message, carrierAccountId: accountId });
}

/** Marks an account ACTIVE, resumes the numbers that were suspended with it, and returns how many. */
export async function reviveNumbers(tx: Executor, workspaceId: string, accountId: string): Promise<number> {
  await reviveAccount(tx, workspaceId, accountId);
  const back = await all(
    tx,
    sql`update phone_numbers set status = 'ACTIVE', suspended_by = null, status_message = null,
          stopped_with_account = false, updated_at = now()
        where workspace_id = ${workspaceId} and carrier_account_id = ${accountId}::uuid and status = 'SUSPENDED'
          and suspended_by = 'CARRIER' and stopped_with_account returning id`,
  );
  return back.length;
}

async function announce(tx: Executor, workspaceId: string, ids: string[], data: object): Promise<void> {
  await appendEvents(
    tx,
    workspaceId,
    ids.map((id) => ({ type: "phone_number.suspended", subjectId: id, data: { ...data, suspendedBy: "CARRIER" } })),
  );
}
