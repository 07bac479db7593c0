import type { CarrierAccountParts, AccountInput } from "#src/numbers/carrier-accounts/account-input.ts";
import {
  checkStored,
  getAccountRow,
  getAccounts,
  lockAccountRow,
  prepareAccount,
  prepareChange,
  type ShownAccount,
  storeAccount,
} from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { AccountCheck } from "#src/telephony/carriers/account.ts";
import { reviveNumbers, stopAccount } from "./number-health.ts";

/** An account with the result of its check. */
export type CheckedShownAccount = ShownAccount & { check: AccountCheck };

/** An account after a change, with the number of suspended numbers that were resumed. */
export type ChangedAccount = CheckedShownAccount & { numbersResumed: number };

function inTransaction<T>(db: Executor, run: (tx: Executor) => Promise<T>): Promise<T> {
  return db.transaction().execute(run);
}

/** Adds an account. Its carrier checks it before the transaction, and a refused one is not stored. */
export async function addAccount(
  parts: CarrierAccountParts,
  workspaceId: string,
  given: { provider: string; input: AccountInput; mayBeUnchecked: boolean },
): Promise<CheckedShownAccount> {
  const checked = await prepareAccount(parts, workspaceId, given.provider, given.input);
  const account = await inTransaction(parts.db, (tx) => storeAccount(tx, parts.box, checked, given.mayBeUnchecked));
  return { ...account, check: checked.check };
}

/** Changes an account in the same way, and resumes the numbers that were suspended with it. */
export async function changeAccount(
  parts: CarrierAccountParts,
  id: string,
  given: { input: AccountInput; mayBeUnchecked: boolean; ifUpdatedAt?: string | undefined },
): Promise<ChangedAccount> {
  const row = await getAccountRow(parts.db, id);
  assertUnchanged(row.updated_at, given.ifUpdatedAt);
  const checked = await prepareChange(parts, row, given.input);
  return inTransaction(parts.db, async (tx) => {
    assertUnchanged((await lockAccountRow(tx, row)).updated_at, given.ifUpdatedAt);
    const account = await storeAccount(tx, parts.box, checked, given.mayBeUnchecked);
    const numbersResumed = await reviveNumbers(tx, account.workspaceId, account.id);
    return { ...account, check: checked.check, numbersResumed };
  });
}

/**
 * Checks an account with its carrier. WORKS resumes its numbers, REFUSED suspends them, UNREACHABLE changes nothing.
 */
export async function checkAccount(parts: CarrierAccountParts, id: string): Promise<ChangedAccount> {
  const row = await getAccountRow(parts.db, id);
  const check = await checkStored(parts, row);
  return inTransaction(parts.db, async (tx) => {
    let numbersResumed = 0;
    if (check.kind === "WORKS") numbersResumed = await reviveNumbers(tx, row.workspace_id, row.id);
    if (check.kind === "REFUSED") await stopAccount(tx, row.workspace_id, row.id, check);
    const account = (await getAccounts(tx, row.workspace_id)).find((one) => one.id === row.id);
    if (!account) throw new AppError("NOT_FOUND", `There is no carrier account ${id}.`);
    return { ...account, check, numbersResumed };
  });
}
