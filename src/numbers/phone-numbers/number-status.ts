import { findAccountState } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { PhoneNumberResponse } from "./number-fields.ts";
import type { NumberState, PhoneNumberRow } from "./store.ts";

/**
 * Returns the state of a number after a person set its status. ACTIVE retries what a carrier refused: a number that
 * could not be set up becomes PENDING again (`isRetried`), a suspended one may call again. 409 while that cannot work.
 */
export async function readStatus(
  tx: Executor,
  workspaceId: string,
  row: PhoneNumberRow,
  asked: PhoneNumberResponse["status"] | undefined,
): Promise<{ row: NumberState; isRetried: boolean }> {
  const { status, status_message, suspended_by, ordered_at } = row;
  const isOurs = asked === "PENDING" || asked === "FAILED";
  if (isOurs && asked !== status) throw fieldError("status", "NOT_ALLOWED", "can be set to ACTIVE or SUSPENDED.");
  if (isOurs || asked === undefined) {
    return { row: { status, status_message, suspended_by, ordered_at }, isRetried: false };
  }
  const isUnready = status === "PENDING" || status === "FAILED";
  if (asked === "SUSPENDED") {
    if (isUnready) throw new AppError("CONFLICT", `The number is ${status}, so nobody can call from it yet.`);
    return { row: { status: asked, status_message: null, suspended_by: "OPERATOR", ordered_at }, isRetried: false };
  }
  if (row.carrier_account_id !== null) await assertAccountWorks(tx, workspaceId, row.carrier_account_id);
  const again = { status_message: null, suspended_by: null };
  if (isUnready) {
    // An order for a PENDING number may be under way, and must not be forgotten.
    const orderedAt = status === "FAILED" ? null : ordered_at;
    return { row: { ...again, status: "PENDING", ordered_at: orderedAt }, isRetried: true };
  }
  return { row: { ...again, status: asked, ordered_at }, isRetried: false };
}

async function assertAccountWorks(tx: Executor, workspaceId: string, accountId: string): Promise<void> {
  const account = await findAccountState(tx, workspaceId, accountId);
  if (account?.status === "ACTIVE") return;
  const why = account?.statusMessage ?? "it is not there";
  throw new AppError(
    "CONFLICT",
    `The number's carrier account does not work: ${why}. Once it is mended, its operator runs: parley carrier check ${accountId}`,
  );
}
