import type { Database } from "#src/db/database.ts";
import { sleep } from "#src/kernel/async.ts";
import { reserveDial } from "#src/phone-numbers/dial-pace.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";

/** A row whose turn is later than this gives its slot to others meanwhile. */
const MAX_WAIT_MS = 3_000;
/** When the database could not be asked, or the process stops: nothing has left yet. */
const AGAIN_MS = 1_000;

/**
 * Waits for a row's turn at the pace of its carrier's account and number. Gives how long to put the row off instead, or 0
 * when it may be dialled now. Never rejects, because nobody has been rung.
 */
export async function waitForTurn({ db }: Database, row: ClaimedRow, signal: AbortSignal): Promise<number> {
  if (isSimulated(row)) return 0;
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, carrier_account_id: carrierAccountId } = row;
  try {
    const slot = await reserveDial({ db }, { workspaceId, phoneNumberId, carrierAccountId }, MAX_WAIT_MS);
    if ("putOffMs" in slot) return slot.putOffMs;
    if (slot.waitMs > 0) await sleep(slot.waitMs, signal);
    return 0;
  } catch {
    return AGAIN_MS;
  }
}
