import { reserveDial } from "#src/numbers/phone-numbers/dial-pace.ts";
import type { Database } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";

/** A row whose turn is later than this gives its slot to others meanwhile. */
const MAX_WAIT_MS = 3_000;
/** When the database could not be asked, or the process stops: nothing has left yet. */
const AGAIN_MS = 1_000;
/** A dial that is later than this takes another slot: after a pause, all that wait would leave at once. */
const LATE_MS = 250;
/** And so it does after this many slots that it missed. */
const MAX_SLOTS = 3;

/** A row's turn: how long to put it off, or until when it may be dialled now. */
export type Turn = { putOffMs: number } | UsableTurn;

/** A turn that has come. */
interface UsableTurn {
  /** True when it was not used in time. */
  isOver(): boolean;
  /** Takes note that the dial leaves now. Throws when others that were late have just left. */
  leave(): void;
}

const ANY_TIME: Turn = { isOver: () => false, leave: () => undefined };

/** When dials left, by account or number: what was held up on its way for different times must not leave together. */
const departures = new Map<string, number[]>();
/** Of the time in which a pace lets so many dials out, what has to pass all the same: a busy machine is not exact. */
const SHARE = 0.6;

function depart(key: string, perSecond: number): void {
  const now = performance.now();
  const windowMs = SHARE * 1_000 * Math.max(1, 1 / perSecond);
  const recent = (departures.get(key) ?? []).filter((atMs) => atMs > now - windowMs);
  if (recent.length >= Math.max(1, Math.ceil(perSecond))) throw new Error("Another call of the account has just left.");
  departures.set(key, [...recent, now]);
}

/**
 * Waits for a row's turn at the pace of its carrier's account and number. Gives how long to put the row off instead, or
 * its turn, which is over when it was not used soon. Never rejects, because nobody has been rung.
 */
export async function waitForTurn({ db }: Database, row: ClaimedRow, signal: AbortSignal): Promise<Turn> {
  if (isSimulated(row)) return ANY_TIME;
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, carrier_account_id: carrierAccountId } = row;
  try {
    for (let slots = 0; slots < MAX_SLOTS; slots++) {
      const since = new Elapsed();
      const slot = await reserveDial({ db }, { workspaceId, phoneNumberId, carrierAccountId }, MAX_WAIT_MS);
      if ("putOffMs" in slot) return slot;
      const { perSecond } = slot;
      if (perSecond === null) return ANY_TIME;
      if (slot.waitMs > 0) await sleep(slot.waitMs, signal);
      const latestMs = slot.waitMs + LATE_MS;
      if (since.ms > latestMs) continue;
      const leave = () => depart(carrierAccountId ?? phoneNumberId, perSecond);
      return { isOver: () => since.ms > latestMs + LATE_MS, leave };
    }
  } catch {
    // The row is put off.
  }
  return { putOffMs: AGAIN_MS };
}
