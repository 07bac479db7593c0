import { noteRefusal } from "#src/numbers/phone-numbers/number-health.ts";
import { untilAvailable } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { DialResult } from "#src/telephony/carriers/carrier.ts";
import { type Attempt, type PlacedCall, ringSecondsOf } from "./attempt.ts";
import { endRefused, endSettled, type Refusal } from "./call-ends.ts";
import { type ClaimedRow, markRow } from "./claim.ts";
import type { CallEnd, LeasedNode } from "./finish.ts";
import { type DialParts, placeDial } from "./place-dial.ts";
import { isLive, toPlacedCall } from "./reconcile.ts";
import { settleRow } from "./settle-attempt.ts";

/** Dependencies of a dial that is placed and settled. */
export interface DialAttemptParts extends DialParts {
  node: LeasedNode;
  random: () => number;
  log: Log;
  /** Called after each dial with the carrier's answer. */
  onDialled?: (row: ClaimedRow, answer: DialResult["kind"]) => void;
}

/**
 * Dials an attempt and settles what the dial came to: a call that the carrier has, or the end of the attempt. A refusal
 * proves that nobody was rung; anything uncertain is settled by the carrier's events and by asking the carrier.
 */
export async function dialAttempt(
  parts: DialAttemptParts,
  attempt: Attempt,
): Promise<{ call: PlacedCall } | { end: CallEnd }> {
  const { carrier, row, flow, signal } = attempt;
  const dial = await placeDial(parts, carrier, row, ringSecondsOf(flow), attempt);
  if ("end" in dial) return dial;
  const { answer: dialled, askedAt } = dial;
  parts.onDialled?.(row, dialled.kind);
  if (dialled.kind === "REFUSED") {
    await noteBlame(parts, row, dialled, askedAt);
    return { end: endRefused(row, dialled, parts.random) };
  }
  if (dialled.kind === "ACCEPTED") return { call: { providerCallId: dialled.providerCallId, answeredBy: null } };
  const { pool } = parts.database;
  await untilAvailable(() => markRow(pool, row, parts.node.id, "UNKNOWN"), signal);
  const known = { providerCallId: null, dialledAt: new Date(attempt.dialledAtMs) };
  const found = await settleRow(pool, carrier, row, known, signal);
  if (!isLive(found)) return { end: endSettled(row, found, parts.random) };
  await untilAvailable(() => markRow(pool, row, parts.node.id, "DIALING"), signal);
  return { call: toPlacedCall(found) };
}

/** Stops the number or account that the refusal blames. The row ends even when that cannot be stored. */
async function noteBlame(
  { database, log }: DialAttemptParts,
  row: ClaimedRow,
  { blame, code, message }: Refusal,
  askedAt: Date,
): Promise<void> {
  if (!blame) return;
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, carrier_account_id: carrierAccountId } = row;
  try {
    await noteRefusal(database, { workspaceId, phoneNumberId, carrierAccountId }, { blame, code, message, askedAt });
  } catch (error) {
    log.warn("A refused number could not be stopped.", { phoneNumberId, error: toError(error).message });
  }
}
