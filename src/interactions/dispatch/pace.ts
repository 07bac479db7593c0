import { reserveDial } from "#src/numbers/phone-numbers/dial-pace.ts";
import type { Database } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";

/** Longest wait for a turn. A row with a later turn gives up its slot and is put off. */
const MAX_WAIT_MS = 3_000;
/** Delay when the database is unavailable or the process stops; nothing has left yet. */
const AGAIN_MS = 1_000;
/** Lateness after which a dial takes another slot. After a pause, all waiting dials would otherwise leave at once. */
const LATE_MS = 250;
/** Number of missed slots after which the row is put off. */
const MAX_SLOTS = 3;

/** A row's turn: the delay by which to put it off, or a turn that is usable now. */
export type DialTurn = { putOffMs: number } | UsableTurn;

/** A turn that has come. */
interface UsableTurn {
  /** True when it was not used in time. */
  isOver(): boolean;
  /** Records that the dial leaves now. Throws when other late dials have just left. */
  leave(): void;
}

const ANY_TIME: DialTurn = { isOver: () => false, leave: () => undefined };

/** Departure times of dials, by account or number, so that dials delayed by different amounts do not leave together. */
const departures = new Map<string, number[]>();
/**
 * Share of a pace's interval over which departures are limited. It is below 1 because a busy machine's timing is not
 * exact.
 */
const SHARE = 0.6;

function depart(key: string, perSecond: number): void {
  const now = performance.now();
  const windowMs = SHARE * 1_000 * Math.max(1, 1 / perSecond);
  const recent = (departures.get(key) ?? []).filter((atMs) => atMs > now - windowMs);
  if (recent.length >= Math.max(1, Math.ceil(perSecond))) throw new Error("Another call of the account has just left.");
  departures.set(key, [...recent, now]);
}

/**
 * Waits for a row's turn at the pace of its carrier's account and number. Returns the delay by which to put the row off
 * instead, or its turn, which expires when it is not used soon. Never rejects, because nobody has been rung.
 */
export async function waitForTurn({ db }: Database, row: ClaimedRow, ...calledOff: AbortSignal[]): Promise<DialTurn> {
  if (isSimulated(row)) return ANY_TIME;
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, carrier_account_id: carrierAccountId } = row;
  try {
    for (let slots = 0; slots < MAX_SLOTS; slots++) {
      const since = new Elapsed();
      const slot = await reserveDial({ db }, { workspaceId, phoneNumberId, carrierAccountId }, MAX_WAIT_MS);
      if ("putOffMs" in slot) return slot;
      const { perSecond } = slot;
      if (perSecond === null) return ANY_TIME;
      if (slot.waitMs > 0) await sleep(slot.waitMs, AbortSignal.any(calledOff));
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
